/** ISO 4217 currencies whose minor unit is not a hundredth: none, a thousandth, a ten-thousandth. */
const OTHER_MINOR_UNITS = new Set(
  `BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF BHD IQD JOD KWD LYD OMR TND CLF UYW`.split(
    ' ',
  ),
);

/** Whether this is a currency that is divided into hundredths, as all of the platform's amounts are. */
export function hasCents(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code) && !OTHER_MINOR_UNITS.has(code);
}

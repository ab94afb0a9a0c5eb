// Services follow Art. 5 to 7 of Directive 2006/112/EC, which draw the EU's tax border otherwise than ISO 3166 does.

/** Countries whose sales count as made in another one: Art. 7(1), and the United Kingdom's own law. */
const PART_OF: Readonly<Record<string, string>> = { MC: 'FR', IM: 'GB' };

/** Parts of Spain outside the EU's tax border (Art. 6) with codes that ISO 3166-1 reserves for them, by the zip's start. */
const OUTSIDE_SPAIN: Readonly<Record<string, string>> = {
  '35': 'IC', // Canary Islands: Las Palmas
  '38': 'IC', // Canary Islands: Santa Cruz de Tenerife
  '51': 'EA', // Ceuta
  '52': 'EA', // Melilla
};

/** The country as whose inhabitant somebody from there is taxed. */
export function taxedAs(country: string): string {
  return PART_OF[country] ?? country;
}

/**
 * The tax territory of an address: a country, or IC and EA for the parts of Spain that levy a tax of their own.
 * Åland (AX), the French departments overseas, Jersey and Guernsey have codes of their own and need no rule. Places
 * without a code count to their state, which docs/guides/tax.md lists.
 */
export function taxTerritory(address: { readonly country: string; readonly zip: string }): string {
  const outside = address.country === 'ES' ? OUTSIDE_SPAIN[address.zip.trim().slice(0, 2)] : undefined;
  return outside ?? taxedAs(address.country);
}

/** The seller's account in the small and the demo catalogue. */
export const SELLER_IBAN = 'DE02120300000000202051';

export interface WrittenEntry {
  readonly amount: string;
  readonly remittance?: string | readonly string[];
  readonly currency?: string;
  readonly ref?: string | null;
  readonly entryRef?: string;
  readonly day?: string;
  readonly status?: string;
  readonly direction?: 'CRDT' | 'DBIT';
  readonly reversal?: boolean;
  readonly debtor?: string;
}

/** A statement as banks write it, in the words of camt.053.001.02 or .08; text goes in as it is given. */
export function camt(
  entries: readonly WrittenEntry[],
  {
    version = '02',
    iban = SELLER_IBAN,
    prefix = '',
  }: { version?: '02' | '08'; iban?: string; prefix?: string } = {},
): string {
  const tag = (name: string, content: string, attributes = '') =>
    `<${prefix}${name}${attributes}>${content}</${prefix}${name}>`;
  const written = entries.map((entry, at) => {
    const { amount, currency = 'EUR', ref = `REF${at + 1}`, day = '2027-01-14', status = 'BOOK' } = entry;
    const texts = typeof entry.remittance === 'string' ? [entry.remittance] : (entry.remittance ?? []);
    const party = tag('Nm', entry.debtor ?? 'Erika Mustermann');
    return tag(
      'Ntry',
      [
        entry.entryRef === undefined ? '' : tag('NtryRef', entry.entryRef),
        tag('Amt', amount, ` Ccy="${currency}"`),
        tag('CdtDbtInd', entry.direction ?? 'CRDT'),
        entry.reversal === undefined ? '' : tag('RvslInd', String(entry.reversal)),
        tag('Sts', version === '02' ? status : tag('Cd', status)),
        tag('BookgDt', tag('Dt', day)),
        ref === null ? '' : tag('AcctSvcrRef', ref),
        tag(
          'NtryDtls',
          tag(
            'TxDtls',
            tag('Refs', tag('EndToEndId', 'NOTPROVIDED')) +
              tag(
                'RltdPties',
                tag('Dbtr', version === '02' ? party : tag('Pty', party)) +
                  tag('DbtrAcct', tag('Id', tag('IBAN', 'DE89370400440532013000'))),
              ) +
              tag('RmtInf', texts.map((text) => tag('Ustrd', text)).join('')),
          ),
        ),
      ].join(''),
    );
  });
  const name = prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${tag(
    'Document',
    tag('BkToCstmrStmt', tag('Stmt', tag('Acct', tag('Id', tag('IBAN', iban))) + written.join(''))),
    ` ${name}="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"`,
  )}`;
}

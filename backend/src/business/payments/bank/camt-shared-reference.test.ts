import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SELLER_IBAN } from '../../../../test/camt.ts';
import { readCamt } from './camt.ts';

/** One booking of two transfers, as banks write it that repeat the booking's reference in each of its parts. */
const statement = (...transactions: readonly string[]) => `<Document><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>${SELLER_IBAN}</IBAN></Id></Acct>
<Ntry><Amt Ccy="EUR">20.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2027-01-14</Dt></BookgDt>
<AcctSvcrRef>BATCH1</AcctSvcrRef><NtryDtls>${transactions.join('')}</NtryDtls></Ntry>
</Stmt></BkToCstmrStmt></Document>`;
const part = (text: string) =>
  `<TxDtls><Refs><AcctSvcrRef>BATCH1</AcctSvcrRef></Refs><Amt Ccy="EUR">10.00</Amt><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`;

const refsIn = (text: string): string[] => {
  const reading = readCamt(text, SELLER_IBAN);
  assert.ok(reading.ok);
  return reading.entries.map((entry) => entry.bankRef);
};

test('two transfers of one amount under one reference of the bank are two', () => {
  const refs = refsIn(statement(part('HK-AAAA-AAAA'), part('HK-BBBB-BBBB')));
  assert.equal(new Set(refs).size, 2, 'the second would be taken for the first, and its money never booked');
  assert.deepEqual(
    refsIn(statement(part('HK-AAAA-AAAA'), part('HK-BBBB-BBBB'))),
    refs,
    'the same ever after',
  );
});

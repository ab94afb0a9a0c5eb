import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SELLER_IBAN } from '../../../../../test/camt.ts';
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

test('whichever of the parts comes first, each keeps its name', () => {
  const [first, second] = [part('HK-AAAA-AAAA'), part('HK-BBBB-BBBB')];
  assert.deepEqual(refsIn(statement(second, first)).sort(), refsIn(statement(first, second)).sort());
  const bare = (text: string) => text.replace('<Refs><AcctSvcrRef>BATCH1</AcctSvcrRef></Refs>', '');
  const parts = [bare(first), bare(second)] as const;
  assert.deepEqual(
    refsIn(statement(parts[1], parts[0])).sort(),
    refsIn(statement(parts[0], parts[1])).sort(),
  );
});

test('the number that an entry has in its statement is not part of the names of what the bank’s reference names', () => {
  const numbered = (number: number, ...parts: string[]) =>
    statement(...parts).replace('<Ntry>', `<Ntry><NtryRef>${number}</NtryRef>`);
  const [first, second] = [part('HK-AAAA-AAAA'), part('HK-BBBB-BBBB')];
  assert.deepEqual(refsIn(numbered(3, first, second)), refsIn(numbered(57, first, second)));
  assert.deepEqual(refsIn(numbered(3, first)), refsIn(numbered(57, first)));
});

test('a transfer that was made twice is two', () => {
  const refs = refsIn(statement(part('HK-AAAA-AAAA'), part('HK-AAAA-AAAA')));
  assert.equal(new Set(refs).size, 2);
});

test('a sum of which nobody says what its parts were is told from one transfer', () => {
  const unsaid = (text: string) => part(text).replace(/<Amt.*<\/Amt>/, '');
  const reading = readCamt(statement(unsaid('HK-AAAA-AAAA'), unsaid('thanks')), SELLER_IBAN);
  assert.ok(reading.ok);
  assert.deepEqual(
    reading.entries.map(({ amount, undivided }) => [amount, undivided]),
    [[20_00n, true]],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { camt, SELLER_IBAN, type WrittenEntry } from '../../../../../test/camt.ts';
import { readCamt, type StatementEntry } from './camt.ts';

function read(text: string): readonly StatementEntry[] {
  const reading = readCamt(text, SELLER_IBAN);
  assert.ok(reading.ok, inspect(reading));
  return reading.entries;
}

function problem(text: string, iban = SELLER_IBAN): string {
  const reading = readCamt(text, iban);
  assert.ok(!reading.ok, 'it is refused');
  return reading.problem;
}

const ONE: WrittenEntry = { amount: '25.00', remittance: ['Top-up HK-7F3K', '-92QX thanks &amp; bye'] };

for (const version of ['02', '08'] as const) {
  for (const prefix of ['', 'ns2:']) {
    test(`camt.053.001.${version} is read, with the prefix "${prefix}"`, () => {
      const [entry] = read(camt([ONE], { version, prefix }));
      assert.deepEqual(
        { ...entry, bankRef: '' },
        {
          bankRef: '',
          iban: SELLER_IBAN,
          bookedOn: '2027-01-14',
          amount: 25_00n,
          currency: 'EUR',
          debtorName: 'Erika Mustermann',
          debtorIban: 'DE89370400440532013000',
          remittance: 'Top-up HK-7F3K\n-92QX thanks & bye',
          reversal: false,
          undivided: false,
        },
      );
    });
  }
}

test('an entry of nothing is none', () => {
  assert.deepEqual(read(camt([{ amount: '0.00', remittance: 'HK-7F3K-92QX' }])), []);
});

test('only booked credits, and what undoes bookings, are read', () => {
  const entries = read(
    camt([
      { amount: '1.00', status: 'PDNG' },
      { amount: '2.00', direction: 'DBIT' },
      { amount: '3.00', direction: 'DBIT', reversal: true },
      { amount: '4.00', reversal: true },
      { amount: '5.00', reversal: false },
    ]),
  );
  assert.deepEqual(
    entries.map(({ amount, reversal }) => [amount, reversal]),
    [
      [-3_00n, true],
      [4_00n, true],
      [5_00n, false],
    ],
  );
});

test('an entry has one name in every statement that holds it, and another than all others', () => {
  const alike = { amount: '10.00', remittance: 'the same', ref: null };
  const many = [
    alike,
    alike,
    { ...alike, day: '2027-01-15' },
    { amount: '10.00', ref: 'A' },
    { amount: '11.00', ref: 'A' },
  ];
  const names = read(camt(many)).map((entry) => entry.bankRef);
  assert.equal(new Set(names).size, many.length);
  assert.deepEqual(
    read(camt(many, { version: '08' })).map((entry) => entry.bankRef),
    names,
  );
  assert.equal(read(camt([{ ...alike, ref: 'NONREF' }]))[0]?.bankRef, names[0]);
});

test('a sum of several transactions is read as these, if they make up the sum', () => {
  const part = (amount: string, text: string) =>
    `<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`;
  const batch = (total: string) =>
    camt([{ amount: total }]).replace(
      /<NtryDtls>.*<\/NtryDtls>/,
      `<NtryDtls>${part('10.00', 'one')}${part('20.00', 'two')}</NtryDtls>`,
    );
  const entries = read(batch('30.00'));
  assert.deepEqual(
    entries.map(({ amount, remittance }) => [amount, remittance]),
    [
      [10_00n, 'one'],
      [20_00n, 'two'],
    ],
  );
  assert.notEqual(entries[0]?.bankRef, entries[1]?.bankRef);
  assert.deepEqual(
    read(batch('31.00')).map((entry) => entry.remittance),
    ['one\ntwo'],
  );
});

test('documents that define, include, expand or overwhelm are refused', () => {
  const entities = Array.from({ length: 9 }, (_, at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(10)}">`);
  const bombs = {
    laughs: `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a0 "ha">${entities.join('')}]><Document>&a9;</Document>`,
    file: `<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><Document>&x;</Document>`,
    remote: `<!DOCTYPE Document SYSTEM "http://169.254.169.254/latest">${camt([ONE])}`,
    nested: `<?xml version="1.0"?>${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`,
    large: `<Document>${'x'.repeat(17 * 1024 * 1024)}</Document>`,
  };
  for (const [name, text] of Object.entries(bombs)) assert.ok(problem(text), name);
});

test('an entity that nobody defined is text, and names of prototypes are only names', () => {
  assert.equal(read(camt([{ amount: '1.00', remittance: '&nbsp;&#72;&#x4B;' }]))[0]?.remittance, '&nbsp;HK');
  const polluting = camt([ONE]).replace('<Stmt>', '<__proto__><polluted>1</polluted></__proto__><Stmt>');
  readCamt(polluting, SELLER_IBAN);
  assert.equal(({} as { polluted?: string }).polluted, undefined);
});

test('what is no statement of this account is refused, with the reason', () => {
  assert.match(problem(camt([ONE]), 'DE89370400440532013000'), /another account: DE0212/);
  assert.match(problem(camt([ONE]).replaceAll('IBAN', 'Othr')), /without an IBAN/);
  assert.match(problem('<Document><Other/></Document>'), /no bank-to-customer statement/);
  assert.match(problem('not XML at all <'), /no XML/);
  assert.match(problem(camt([ONE]).slice(0, 300)), /no XML/);
  assert.match(problem(camt([{ amount: '-1.00' }])), /negative/);
  assert.match(problem(camt([{ amount: '1.005' }])), /decimal/);
  assert.match(problem(camt([{ amount: '1e3' }])), /decimal/);
  assert.match(problem(camt([{ amount: '1.00', day: '2027-02-30' }])), /no date/);
});

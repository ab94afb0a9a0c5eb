import assert from 'node:assert/strict';
import { test } from 'node:test';
import { camt } from '../../../test/camt.ts';
import { openFixture } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';

const fixture = await openFixture();
const requests = openRequests(fixture);
const token = await staffToken(fixture);

const FILES = {
  'a day before all days': camt([{ amount: '1.00', day: '0000-01-01' }]),
  'a year of six digits': camt([{ amount: '1.00', day: '-00001-01-01' }]),
  'an amount beyond all money': camt([{ amount: '99999999999999999999.00' }]),
  'a reference without end': camt([
    { amount: '1.00', ref: Array.from({ length: 9000 }, (_, i) => (i * 7919).toString(36)).join('') },
  ]),
  'half a character': camt([{ amount: '1.00', remittance: 'x&#xD800;y' }]),
  'a control character': camt([{ amount: '1.00', remittance: 'x&#1;y' }]),
  'a currency that is none': camt([{ amount: '1.00', currency: 'EURO'.repeat(500) }]),
  'an element that is named like a method': camt([{ amount: '1.00' }]).replace(
    '<Sts>',
    '<constructor/><__proto__>x</__proto__><Sts>',
  ),
  'twice the same attribute': camt([{ amount: '1.00' }]).replace('Ccy="EUR"', 'Ccy="EUR" Ccy="USD"'),
  'two amounts': camt([{ amount: '1.00' }]).replace('<Amt', '<Amt Ccy="EUR">5.00</Amt><Amt'),
};
for (const [what, file] of Object.entries(FILES)) {
  test(`a file with ${what} is imported or refused`, async () => {
    const { status, text } = await requests.call('staff/bank-import', { camt: file }, { token });
    assert.ok(status < 500, text);
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openFixture } from '../../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../../test/requests.ts';
import { timeTravel } from '../../../../test/time-travel.ts';
import type { Discount } from './discount.ts';
import { priceOf } from './price.ts';
import { type RecurringDiscount, termDiscount } from './recurring-discount.ts';

const now = Temporal.Instant.from('2027-01-15T12:00:00Z');

function codeOf(percent: number, cycles: number): Discount {
  return {
    code: 'GIVEN',
    percent,
    cycles,
    products: null,
    items: null,
    accountId: null,
    validFrom: now,
    validUntil: null,
    usesPerAccount: null,
    usesLeft: null,
    usedBy: new Map(),
  };
}

const keptOf = (percent: number, left: number | null): RecurringDiscount => ({ code: 'KEPT', percent, left });

/** What is taken off so many terms one after the other, of which the first is ordered with a code. */
function percents(kept: RecurringDiscount | null, given: Discount | null, terms: number): number[] {
  const taken: number[] = [];
  let standing = kept;
  for (let term = 0; term < terms; term += 1) {
    const discount = termDiscount(standing, term === 0 ? given : null);
    taken.push(discount.now?.percent ?? 0);
    standing = discount.after;
  }
  return taken;
}

test('a code takes the place of what is kept if it holds for as many terms, and otherwise is for one', () => {
  // Kept: percent and terms left; code: percent and cycles; taken off five terms; whether the code is cut to one.
  const table = [
    [[10, null], [20, 1], [20, 10, 10, 10, 10], false],
    [[10, null], [20, 3], [20, 10, 10, 10, 10], true],
    [[10, null], [20, 0], [20, 20, 20, 20, 20], false],
    [[10, 3], [20, 1], [20, 10, 10, 0, 0], false],
    [[10, 3], [20, 2], [20, 10, 10, 0, 0], true],
    [[10, 3], [20, 3], [20, 20, 20, 0, 0], false],
    [[10, 3], [20, 4], [20, 20, 20, 20, 0], false],
    [[10, 1], [20, 1], [20, 0, 0, 0, 0], false],
    [[20, 2], [10, 0], [20, 20, 0, 0, 0], false],
    [[20, 1], [20, 0], [20, 0, 0, 0, 0], false],
  ] as const;
  for (const [[keptPercent, left], [percent, cycles], expected, isCut] of table) {
    const [kept, given] = [keptOf(keptPercent, left), codeOf(percent, cycles)];
    assert.deepEqual(percents(kept, given, 5), expected);
    const discount = termDiscount(kept, given);
    assert.deepEqual([discount.isCut, discount.used], [isCut, percent > keptPercent ? given : null]);
  }
  assert.deepEqual(percents(null, codeOf(20, 2), 3), [20, 20, 0]);
});

const percent = fc.integer({ min: 1, max: 10_000 });
const anyKept = fc.option(
  fc.tuple(percent, fc.option(fc.integer({ min: 1, max: 12 }))).map(([off, left]) => keptOf(off, left)),
);
const anyCode = fc
  .tuple(percent, fc.integer({ min: 0, max: 12 }))
  .map(([off, cycles]) => codeOf(off, cycles));

test('property: however long and dear each further term is, nobody has ever paid more than without the code', () => {
  const prices = fc.array(fc.bigInt({ min: 0n, max: 10_000_000n }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(anyKept, anyCode, prices, (kept, given, terms) => {
      const grosses = (code: Discount | null) =>
        percents(kept, code, terms.length).map((discount, term) => grossOf(terms[term] ?? 0n, discount));
      const [paid, otherwise] = [grosses(given), grosses(null)];
      let ahead = 0n;
      for (const [term, gross] of paid.entries()) {
        ahead += (otherwise[term] ?? 0n) - gross;
        assert.ok(ahead >= 0n, `after ${term + 1} terms ${-ahead} more`);
      }
    }),
    { numRuns: 2_000 },
  );
});

function grossOf(unitPrice: bigint, discount: number): bigint {
  return priceOf({
    version: 1,
    currency: 'EUR',
    homeRate: 1900,
    taxation: { kind: 'standard', rate: 1900, country: 'DE' },
    lines: [{ description: 'thing', quantity: 1, unitPrice }],
    discount,
    periodFrom: now,
    periodTo: now.add({ hours: 24 }),
  }).gross;
}

const fixture = await openFixture();
const { clock, customer, booksProblems } = fixture;
const { license, charges, travel } = timeTravel(fixture);
const { data } = openRequests(fixture);
const staff = { token: await staffToken(fixture) };
let codes = 0;

/** A new code; its percentage has two decimals. */
async function made(percent: number, cycles: number): Promise<string> {
  codes += 1;
  const { code } = await data(
    'staff/discount-create',
    { code: `CODE${codes}`, percent: percent / 100, cycles },
    staff,
  );
  return code;
}

test('a code for one term takes nothing from a discount for ever, also of what renews itself', async () => {
  clock.set(now);
  const [ever, once] = [await made(1_000, 0), await made(2_000, 1)];
  const who = await customer(100_00n);
  const id = await license(who, { discount_code: ever });
  await data('panel/renew', { uuid: id, duration: 1, discount_code: once }, { token: who.secret });
  await travel('2027-06-01T00:00:00Z');
  assert.deepEqual(
    (await charges(id)).map(({ gross }) => gross),
    [359n, 319n, 359n, 359n, 359n],
  );
});

test('the quote of a code for several terms that is used for one warns of that', async () => {
  clock.set(now);
  const [ever, once, thrice] = [await made(1_000, 0), await made(2_000, 1), await made(2_000, 3)];
  const who = await customer(100_00n);
  const id = await license(who, { discount_code: ever });
  const warned = async (input: object) => {
    const wanted = { uuid: id, duration: 1, dry_run: true, ...input };
    const { quote } = await data('panel/renew', wanted, { token: who.secret });
    return quote.warnings.map(({ error }: { error: string }) => error);
  };
  assert.deepEqual(await warned({ discount_code: thrice }), ['discount_for_one_term']);
  assert.deepEqual(await warned({ discount_code: once }), []);
  assert.deepEqual(await warned({}), []);
});

test('property: renewed with a code, nobody has ever paid more than without it, and always what was quoted', async () => {
  clock.set(now);
  const durations = fc.array(fc.constantFrom(1, 2, 3, 12), { minLength: 1, maxLength: 6 });
  const cycles = fc.integer({ min: 0, max: 4 });
  await fc.assert(
    fc.asyncProperty(percent, cycles, percent, cycles, durations, async (...drawn) => {
      const [keptPercent, keptCycles, givenPercent, givenCycles, terms] = drawn;
      const kept = await made(keptPercent, keptCycles);
      const given = await made(givenPercent, givenCycles);
      const paid = async (code: string) => {
        const who = await customer(1_000_00n);
        const sent = { token: who.secret };
        const uuid = await license(who, { discount_code: kept });
        const grosses: number[] = [];
        for (const [term, duration] of terms.entries()) {
          const wanted = { uuid, duration, discount_code: term === 0 ? code : '' };
          const { quote } = await data('panel/renew', { ...wanted, dry_run: true }, sent);
          const { charged } = await data('panel/renew', { ...wanted, quote_uuid: quote.quote_uuid }, sent);
          assert.deepEqual([charged.gross_minor, charged.discount], [quote.gross_minor, quote.discount]);
          grosses.push(charged.gross_minor);
        }
        return grosses;
      };
      const [withCode, without] = [await paid(given), await paid('')];
      let ahead = 0;
      for (const [term, gross] of withCode.entries()) {
        ahead += (without[term] ?? 0) - gross;
        assert.ok(ahead >= 0, `after ${term + 1} terms ${-ahead} cents more`);
      }
    }),
    { numRuns: 25, endOnFailure: true },
  );
  assert.deepEqual(await booksProblems(), []);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Customer, LICENSE, openFixture } from '../../../test/fixture.ts';
import { openRequests } from '../../../test/requests.ts';
import { adjustBalance } from '../../business/core/accounts/adjust.ts';
import signHeads from '../../business/core/ledger/sign-heads.job.ts';
import { transaction } from '../../db/transaction.ts';

/** The verifiers exactly as the guide prints them. */
const guide = readFileSync(
  new URL('../../../../docs/guides/verifying-the-ledger.md', import.meta.url),
  'utf8',
);
const [verifier = '', entryVerifier = ''] = [...guide.matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, code]) => code,
);
const { verifiedLedger, verifiedEntry } = (await import(
  `data:text/javascript,${encodeURIComponent(verifier + entryVerifier)}`
)) as {
  verifiedLedger(file: string, keys: unknown): { account: string; currency: string };
  verifiedEntry(proof: Proof, keys: unknown): unknown[];
};
interface Proof {
  readonly lines: readonly string[];
  readonly root: { readonly path: readonly object[]; readonly seq: number; readonly day: string } | null;
  readonly head: object | null;
}

const fixture = await openFixture();
const { pool, clock, signer, sealer, catalogs } = fixture;
const { data, refused } = openRequests(fixture);
const { keys } = await data('panel/public-key');
const order = { pack_uuid: LICENSE, duration: 1, tos: true, cancellation: true };

/** Signs the day's root, as the job does in its night. */
async function nextNight() {
  clock.set(clock.now().add({ hours: 24 }));
  assert.ok(signHeads.kind === 'maintenance');
  const context = { now: clock.now(), catalogs, sealer, signer, log: undefined as never };
  await signHeads.run(pool, context, undefined as never);
}

async function fileOf({ secret: token }: Customer, perPage: number): Promise<string> {
  let file = '';
  for (let from: number | null = 1; from !== null; ) {
    const page = await data(
      'account/ledger',
      { from_seq: from, per_page: perPage, format: 'file' },
      { token },
    );
    file += page.file;
    from = page.next_seq;
  }
  return file;
}

/** A customer with a few entries, of which some are older than the newest root. */
async function booked() {
  const who = await fixture.customer(10_000n);
  const sent = { token: who.secret };
  await data('panel/order', order, sent);
  const adjustment = { amount: 250n, reason: 'Entschädigung „für“ gestern\nund heute' };
  await transaction(pool, (tx) => adjustBalance(tx, who.accountId, adjustment, clock.now()));
  await nextNight();
  await data('panel/order', order, sent);
  await data('panel/order', order, sent);
  return who;
}

test('the verifier of the guide has at most thirty lines', () => {
  assert.ok(verifier.trim().split('\n').length <= 30);
});

test('the exported file is accepted, whatever its pages, before and after the first signed root', async () => {
  const fresh = await fixture.customer(500n);
  assert.deepEqual(verifiedLedger(await fileOf(fresh, 10), keys), {
    format: 'hostkeep-ledger-file-1',
    account: fresh.accountId,
    currency: 'EUR',
  });
  verifiedLedger(await fileOf(await fixture.customer(0n), 10), keys);
  const who = await booked();
  const whole = await fileOf(who, 1000);
  for (const perPage of [1, 2, 5]) assert.equal(await fileOf(who, perPage), whole);
  assert.equal(verifiedLedger(whole, keys).account, who.accountId);
  assert.equal(whole.split('\n').length, 5 + 3);
});

test('no line, cent, word or moment of the file can be changed, dropped, swapped or cut off', async () => {
  const who = await booked();
  const file = await fileOf(who, 1000);
  const lines = file.trimEnd().split('\n');
  const refuses = (changed: readonly string[], what: string) =>
    assert.throws(() => verifiedLedger(`${changed.join('\n')}\n`, keys), Error, what);
  const last = lines.length - 1;
  for (const [index, line] of lines.entries()) {
    refuses(lines.toSpliced(index, 1), `line ${index} dropped`);
    refuses(lines.toSpliced(index, 0, line), `line ${index} twice`);
    if (index < last) {
      refuses(lines.toSpliced(index, 2, lines[index + 1] ?? '', line), `line ${index} swapped`);
      refuses(lines.slice(0, index + 1), `cut off after line ${index}`);
    }
    if (index < last - 1) {
      refuses([...lines.slice(0, index + 1), lines[last] ?? ''], `entries missing after line ${index}`);
    }
    if (index === 0 || index === last) continue;
    const entry = JSON.parse(line) as unknown[];
    for (const [at, value] of entry.entries()) {
      const other = typeof value === 'number' ? value + 1 : `${value}x`;
      refuses(lines.toSpliced(index, 1, JSON.stringify(entry.with(at, other))), `member ${at} of ${index}`);
    }
  }
  const cent = (lines[2] ?? '').replace('"-399"', '"-398"');
  assert.notEqual(cent, lines[2]);
  refuses(lines.with(2, cent), 'a cent');
  assert.throws(() => verifiedLedger(file.slice(0, -1), keys));
  assert.throws(() => verifiedLedger(file, []), /known key/);
});

test('a last line that was made to fit is refused: head and root are signed', async () => {
  const who = await booked();
  const lines = (await fileOf(who, 1000)).trimEnd().split('\n');
  const end = JSON.parse(lines.at(-1) ?? '');
  const forged = (kept: readonly string[], change: object) =>
    verifiedLedger(`${[...kept, JSON.stringify({ ...end, ...change })].join('\n')}\n`, keys);
  const entries = lines.slice(0, -1);
  assert.equal(forged(entries, {}).account, who.accountId);
  const shorter = JSON.parse(entries.at(-1) ?? '')[1];
  assert.throws(() =>
    forged(entries.slice(0, -1), { head: { ...end.head, seq: end.head.seq - 1, hash: shorter } }),
  );
  assert.throws(() => forged(entries, { head: { ...end.head, signed_at: '2030-01-01 00:00:00' } }));
  assert.throws(() => forged(entries, { root: { ...end.root, day: '2026-01-01' } }));
  assert.throws(() => forged(entries, { root: { ...end.root, seq: end.root.seq - 1 } }));
  const [step, ...steps] = end.root.path;
  assert.ok(step !== undefined, 'there are other accounts in the tree');
  assert.throws(() => forged(entries, { root: { ...end.root, path: steps } }));
  assert.throws(() =>
    forged(entries, { root: { ...end.root, path: [{ ...step, hash: '0'.repeat(64) }, ...steps] } }),
  );
});

test('the journal shows both sides of each entry, and its place in the chain', async () => {
  const who = await fixture.customer(1_000n);
  const sent = { token: who.secret };
  const { transaction_uuid, order_id, license_uuid } = await data('panel/order', order, sent);
  const { entries, head, next_seq } = await data('account/ledger', { from_seq: 2 }, sent);
  assert.equal(next_seq, null);
  const [first] = (await data('account/ledger', { per_page: 1 }, sent)).entries;
  const [entry] = entries;
  assert.deepEqual(entry, {
    ...entry,
    seq: 2,
    uuid: transaction_uuid,
    type: 'order',
    amount: -3.99,
    amount_minor: -399,
    tax_minor: 64,
    balance_after: 6.01,
    balance_after_minor: 601,
    reference: { type: 'license', uuid: license_uuid },
    order_id,
    postings: [
      { account: `customer:${who.accountId}`, amount: -3.99, amount_minor: -399 },
      { account: 'revenue:license', amount: 3.35, amount_minor: 335 },
      { account: 'tax:19.00', amount: 0.64, amount_minor: 64 },
    ],
    prev_hash: first.hash,
    hash: head.hash,
  });
  assert.equal(head.seq, 2);
  assert.deepEqual((await data('account/ledger', { from_seq: 9 }, sent)).entries, []);
});

test('an entry is proven by the first root after it, or by the signed head before there is one', async () => {
  const who = await booked();
  const sent = { token: who.secret };
  const { entries } = await data('account/ledger', {}, sent);
  for (const entry of entries) {
    const proof: Proof = await data('account/ledger-proof', { uuid: entry.uuid }, sent);
    assert.equal(verifiedEntry(proof, keys)[4], entry.uuid);
    assert.equal(proof.root === null, entry.seq > 3);
    assert.equal(proof.head === null, entry.seq <= 3);
    for (const at of proof.lines.keys()) {
      const lines = proof.lines.with(at, (proof.lines[at] ?? '').replace('"EUR"', '"USD"'));
      assert.throws(() => verifiedEntry({ ...proof, lines }, keys));
      // Without its first line it is a proof of the next entry, and says so.
      if (at > 0) assert.throws(() => verifiedEntry({ ...proof, lines: proof.lines.toSpliced(at, 1) }, keys));
    }
  }
});

test("nobody gets a proof of another customer's entry", async () => {
  const [one, other] = [await booked(), await booked()];
  const [entry] = (await data('account/ledger', {}, { token: one.secret })).entries;
  await refused('not_found', 'account/ledger-proof', { uuid: entry.uuid }, { token: other.secret });
});

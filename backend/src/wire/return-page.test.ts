// Needs: database

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHarness } from '../../test/harness.ts';

const harness = await openHarness();
const { running } = harness;
const visit = async (query: string, language = 'en') => {
  const answer = await fetch(`${running.address}/${query}`, { headers: { 'accept-language': language } });
  return { status: answer.status, html: await answer.text() };
};

test('who comes back from paying is told what became of it, in their language', async () => {
  const as = await harness.customer();
  const { payment } = await harness.data('account/topup', { as, input: { amount: 50, method: 'sandbox' } });
  const waiting = await visit(`?payment=${payment.uuid}`);
  assert.equal(waiting.status, 200);
  assert.match(waiting.html, new RegExp(`<a href="/\\?payment=${payment.uuid}">Look again</a>`));
  assert.match(waiting.html, /<html lang="en">.*<h1>Waiting for your payment<\/h1>.*50\.00/s);
  assert.match(
    (await visit(`?payment=${payment.uuid}&state=paid`, 'de')).html,
    /Wir warten auf Ihre Zahlung/,
  );

  await harness.pool.pg.query("UPDATE payments SET state = 'succeeded' WHERE id = $1", [payment.uuid]);
  const paid = await visit(`?payment=${payment.uuid.toUpperCase()}`, 'de');
  assert.equal(paid.status, 200);
  assert.doesNotMatch(paid.html, /nachsehen/);
  assert.match(paid.html, /<html lang="de">.*<h1>Zahlung erhalten<\/h1>/s);
});

test('what the address says is neither shown nor believed', async () => {
  const wrong = ['<script>', '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', '', 'x&payment=y', '%00'];
  for (const text of wrong) {
    const { status, html } = await visit(`?payment=${text}`);
    assert.equal(status, 404, text);
    assert.match(html, /There is no such payment/);
    assert.doesNotMatch(html, /<script>/);
  }
  assert.equal((await visit('')).status, 200);
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openHarness } from './harness.ts';
import { openReceiver } from './webhook-receiver.ts';

const LATEST_MS = 2_000;

const receiver = await openReceiver();
const harness = await openHarness({ outbound: receiver.outbound });
after(() => receiver.close());

test('the whole program: what a request does is told within two seconds', async () => {
  const as = await harness.customer();
  await harness.data('account/webhook-create', { as, input: { url: receiver.url, events: ['account.*'] } });
  const told = Promise.withResolvers<string>();
  receiver.answerWith(({ event }) => {
    told.resolve(event.type);
    return 200;
  });
  const begun = performance.now();
  await harness.data('account/token-create', { as, input: { name: 'shop', scopes: ['panel:read'] } });
  assert.equal(await told.promise, 'account.token_created');
  assert.ok(performance.now() - begun < LATEST_MS);
  assert.deepEqual(harness.logged, []);
});

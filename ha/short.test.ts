// Needs: ha, database
// Slow: 110 s

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FaultName } from './faults.ts';
import { missingParts } from './parts.ts';
import { Proof } from './proof.ts';

const FAULTS: readonly FaultName[] = ['primary-killed', 'api-killed', 'switchover', 'worker-killed'];
const ORDERS = 800;

const missing = await missingParts();

// The long form, with all faults and with limits of time, is `npm run test:ha`.
describe('a cluster that is broken while customers order', { skip: missing ?? false }, () => {
  let proof: Proof | null = null;
  const printed: string[] = [];
  let passed = 0;

  before(async () => {
    proof = await Proof.prepare({
      seed: 1,
      databases: 2,
      voters: 3,
      findsPrimary: 'by-proxy',
      customers: 3,
      clients: 16,
      perSecond: 200,
      serverEvery: 40,
      outageMs: 0,
      print: (line) => printed.push(line),
    });
    await proof.start();
  });

  after(async () => {
    if (proof === null) return;
    // The runner removes every temporary directory, so what the logs say is printed.
    if (passed < FAULTS.length) console.log([...printed, await proof.endsOfLogs()].join('\n'));
    await proof.stop(false);
  });

  for (const fault of FAULTS) {
    test(`${fault}: what was acknowledged is there, charged once, and nothing is left under way`, async () => {
      assert.ok(proof !== null);
      const round = await proof.round(fault, ORDERS);
      assert.deepEqual(round.problems, []);
      assert.equal(round.undecided, 0);
      assert.ok(round.acknowledged >= ORDERS, `${round.acknowledged} acknowledged`);
      passed += 1;
    });
  }
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { localExecutor } from '../../host/local.ts';
import { Node } from './node.ts';
import { NodeSettings } from './settings.ts';
import { trialStart } from './trial-start.ts';

const executor = localExecutor('qemu');
after(() => executor.close());

function node(accelerator: 'kvm' | 'tcg', processor?: string): Node {
  const settings = NodeSettings.parse({ accelerator, processor, network: {} });
  return new Node('trial', executor, settings);
}

test('a node that can emulate machines runs one for a second', async () => {
  assert.equal(await trialStart(node('tcg')), null);
});

test('a node that cannot says why, in words of QEMU', async () => {
  const problem = await trialStart(node('tcg', 'no-such-processor'));
  assert.match(problem ?? '', /does not run with the accelerator tcg: .*no-such-processor/);
});

/** Whether guests run here with KVM, as the operator of the tests says: the device alone does not tell. */
const KVM_WORKS = process.env.HOSTKEEP_TEST_KVM === 'works';

test('an accelerator that is not fit for guests is a problem, not a machine that never starts', {
  skip: KVM_WORKS,
}, async () => {
  assert.match((await trialStart(node('kvm'))) ?? 'it runs', /does not run with the accelerator kvm: \S/);
});

import { script } from '../../host/executor.ts';
import type { Node } from './node.ts';
import { trialStart } from './trial-start.ts';

const NEEDED = [
  'qemu-system-x86_64',
  'qemu-img',
  'genisoimage',
  'openssl',
  'nft',
  'ip',
  'tc',
  'setpriv',
  'setsid',
  'socat',
];

const LOOK = `kvm=$1; shift
[ "$(id -u)" = 0 ] || { echo 'its user is not root'; exit 0; }
for program; do command -v "$program" >/dev/null || { echo "it has no $program"; exit 0; }; done
[ "$kvm" != kvm ] || [ -c /dev/kvm ] || { echo 'it has no /dev/kvm'; exit 0; }
[ -c /dev/net/tun ] || echo 'it has no /dev/net/tun'`;

/** What keeps a node from running machines, or null. */
export async function nodeProblem(node: Node): Promise<string | null> {
  try {
    const { stdout } = await node.executor.run(script(LOOK, node.settings.accelerator, ...NEEDED), {
      deadlineMs: 15_000,
    });
    return stdout.trim() === '' ? await trialStart(node) : stdout.trim();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.cause instanceof Error ? error.cause.message : error.message;
  }
}

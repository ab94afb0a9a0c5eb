import { BackendUnavailable } from '../../../drivers/outcome.ts';
import type { CommandPorts } from '../../../drivers/ports.ts';
import { type JobContext, tickJob } from '../../../work/job.ts';
import { claimFailingBackends, forgetFailingBackend, hurryJobs } from './failing-backend.ts';
import { UNSERVED } from './probe.ts';

const EVERY_MS = 5_000;
const DEADLINE_MS = 3_000;

/**
 * Asks back ends that failed whether they answer again, so that what waits for them does not sleep through it: each after
 * five seconds, later by the minute. What waits for one that answers is tried at once.
 */
export default tickJob({
  name: 'backend.recover',
  everyMs: EVERY_MS,
  async run(pool, ctx, ports) {
    for (const { name, waiting } of await claimFailingBackends(pool, ctx.now)) {
      if (!waiting) await forgetFailingBackend(pool, name);
      else if (await answers(ports, ctx, name)) {
        const jobs = await hurryJobs(pool, name);
        ctx.log.info({ backend: name, jobs }, 'a back end answers: what waits for it is tried again');
      }
    }
  },
});

/** Whether it answers the cheapest question. What has no such question is tried by its work. */
async function answers(ports: CommandPorts, { catalogs }: JobContext, backend: string): Promise<boolean> {
  const [kind = '', ...rest] = backend.split(':');
  const [name = '', node] = rest.join(':').split('/');
  try {
    if (kind === 'hypervisor') {
      const { unreachableNodes } = await ports.hypervisor.capacity(name, DEADLINE_MS);
      return node === undefined || !unreachableNodes.includes(node);
    }
    if (kind === 'webserver') await ports.webserver.list(name);
    if (kind === 'dns') await ports.dns.zone(UNSERVED, DEADLINE_MS);
    if (kind === 'registry') {
      const tld = [...catalogs.current().tlds.values()].find((one) => one.registry === name)?.tld;
      if (tld !== undefined) await ports.registry.info({ domain: `example.${tld}`, tld, registry: name });
    }
    return true;
  } catch (error) {
    if (error instanceof BackendUnavailable) return false;
    throw error;
  }
}

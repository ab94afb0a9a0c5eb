import type { Clock } from '../../../base/clock.ts';
import { ProxmoxApi } from './api.ts';
import { ProxmoxHypervisor } from './hypervisor.ts';
import { clusterProblem } from './problem.ts';
import type { ClusterSettings } from './settings.ts';

export interface ProxmoxConnection {
  readonly hypervisor: ProxmoxHypervisor;
  /** What keeps its nodes from running machines for us, or null. */
  problems(): Promise<readonly { readonly node: string; readonly problem: string | null }[]>;
  close(): Promise<void>;
}

export function proxmoxConnection(
  settings: ClusterSettings,
  { clock }: { readonly clock: Clock },
): ProxmoxConnection {
  const api = new ProxmoxApi(settings);
  return {
    hypervisor: new ProxmoxHypervisor({ api, settings, clock }),
    async problems() {
      const problem = await clusterProblem(api, settings, clock);
      return [...new Set(Object.values(settings.hosts).flat())].map((node) => ({ node, problem }));
    },
    async close() {
      api.close();
    },
  };
}

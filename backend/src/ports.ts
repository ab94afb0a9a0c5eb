import type { CatalogStore } from './business/catalog/versions.ts';
import { APPLICATION_ROLE } from './db/migrate.ts';
import { Pool } from './db/pool.ts';
import { routedHypervisor } from './drivers/hypervisor/routing.ts';
import { SandboxHypervisor } from './drivers/hypervisor/sandbox/hypervisor.ts';
import type { CommandPorts, QueryPorts } from './drivers/ports.ts';
import { RoutedRegistryQueries } from './drivers/registry/routing.ts';
import { SandboxRegistry } from './drivers/registry/sandbox/registry.ts';
import type { Installation } from './installation.ts';

export interface OpenPorts extends CommandPorts {
  readonly registry: QueryPorts['registry'];
  close(): Promise<void>;
}

/** Opens the back ends that the catalogue's names refer to. The one place that knows drivers by name. */
export function openPorts({ config, url, clock, log }: Installation, catalogs: CatalogStore): OpenPorts {
  // The sandbox stands for another system: its own connections, its own commits.
  const sandboxPool = new Pool({ url, size: 2, name: 'hostkeep-sandbox', role: APPLICATION_ROLE });
  const hypervisor = routedHypervisor({
    connectionOf: (host) => catalogs.current().hosts.get(host)?.hypervisor ?? null,
    connections: new Map([['sandbox', new SandboxHypervisor({ db: sandboxPool, clock })]]),
  });
  const registry = new RoutedRegistryQueries(new Map([['sandbox', new SandboxRegistry()]]), {
    deadlineMs: config.checkDeadlineMs,
    onFailure: (failure) => log.warn({ err: failure }, 'a registry left names without an answer'),
  });
  return { hypervisor, registry, close: () => sandboxPool.end() };
}

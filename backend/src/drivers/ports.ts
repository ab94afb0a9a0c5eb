import type { Hypervisor, HypervisorQueries } from './hypervisor/port.ts';
import type { RegistryQueries } from './registry/port.ts';

/** What operations may ask of back ends: questions only. Commands belong to jobs. */
export interface QueryPorts {
  readonly registry: RegistryQueries;
  readonly hypervisor: HypervisorQueries;
}

/** What jobs may use. */
export interface CommandPorts {
  readonly hypervisor: Hypervisor;
}

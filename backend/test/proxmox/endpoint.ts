import type { SimulatedCluster } from './cluster.ts';
import type { Parameters, Property, Value } from './schema.ts';

/** One call of a method, after its parameters and permissions were checked. */
export interface Call {
  readonly cluster: SimulatedCluster;
  /** The token's id, `user@realm!name`. */
  readonly user: string;
  readonly values: Readonly<Record<string, Value>>;
  /** The file of an upload. */
  readonly file: Buffer | null;
  /** Throws 403 where the token has not got these privileges on a path. */
  check(path: string, privileges: readonly string[]): void;
}

export interface Permission {
  readonly path: string;
  readonly privileges: readonly string[];
  /** One of them is enough. */
  readonly any?: true;
}

/** A method of the API: `{name}` in its path, and in paths of permissions, is a parameter. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly permissions: readonly Permission[];
  readonly parameters: Parameters;
  /** Runs on the node that `{node}` names. */
  readonly proxied?: true;
  code(call: Call): unknown;
}

export const node: Property = { type: 'string', format: 'pve-node' };
export const vmid: Property = { type: 'integer', format: 'pve-vmid', minimum: 100, maximum: 999_999_999 };
export const storage: Property = { type: 'string', format: 'pve-storage-id' };
export const snapname: Property = { type: 'string', format: 'pve-configid', maxLength: 40 };
export const digest: Property = { type: 'string', maxLength: 64, optional: true };
export const boolean: Property = { type: 'boolean', optional: true };
export const integer = (minimum: number): Property => ({ type: 'integer', minimum, optional: true });
export const text: Property = { type: 'string', optional: true };
export const optional = (property: Property): Property => ({ ...property, optional: true });

export const onVm = (...privileges: string[]): Permission[] => [{ path: '/vms/{vmid}', privileges }];

/** The node's name of a call. */
export function nodeOf({ values }: Call): string {
  return String(values.node);
}

export function vmidOf({ values }: Call): number {
  return Number(values.vmid);
}

/** A worker for a machine, as most methods start one. */
export function vmTask(
  call: Call,
  type: string,
  work: (log: string[]) => void | Promise<void>,
  { begin, failed, id }: { begin?: (log: string[]) => void; failed?: () => void; id?: string } = {},
): string {
  const { cluster, user } = call;
  return cluster.tasks.start(
    { node: nodeOf(call), type, id: id ?? String(vmidOf(call)), user, seconds: cluster.now },
    begin ?? (() => {}),
    work,
    failed,
  );
}

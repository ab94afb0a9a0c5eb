import type { Frame } from '../../../unit-of-work/unit-of-work.ts';
import { enforceDomain } from '../../domains/domain-jobs.ts';
import { enforceServer } from '../../servers/machine/convergence.ts';
import { enforceWebspace } from '../../webspaces/webspace-jobs.ts';
import type { Product } from './service.ts';

type Enforcement = (frame: Frame, serviceId: string) => void;

/** How the back end of each product is made to follow the books; null: nothing runs, or nothing drives it yet. */
const ENFORCEMENT: Readonly<Record<Product, Enforcement | null>> = {
  license: null,
  server: enforceServer,
  webspace: enforceWebspace,
  domain: enforceDomain,
};

/** Whose further terms, and whose end, are there only once its back end says so: until then the money is on hold. */
const DECIDED_BY_BACKEND: ReadonlySet<Product> = new Set(['domain']);

export function isDecidedByBackend(product: Product): boolean {
  return DECIDED_BY_BACKEND.has(product);
}

/**
 * Has the back end brought in line with what the books will say of a service once this transaction is committed:
 * switched on or off, or removed for good. Call it wherever a service's state changes between on, off and deleted.
 */
export function enforce(frame: Frame, service: { readonly id: string; readonly product: Product }): void {
  ENFORCEMENT[service.product]?.(frame, service.id);
}

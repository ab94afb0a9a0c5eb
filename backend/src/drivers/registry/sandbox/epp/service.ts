import { NS } from '../../epp/wire/namespace.ts';

/** What the sandbox speaks: what RFCs say, and an extension of its own, as many registries of countries have one. */
export const SERVICES = { ...NS, citizenship: 'urn:hostkeep:sandbox:citizenship-1.0' } as const;

export type Service = keyof typeof SERVICES;

import { type Instant, isBefore } from '../../../base/time.ts';
import { type Happening, nextHappening } from './life.ts';
import type { RegistryPolicy } from './policy.ts';
import type { Holding, Message } from './registration.ts';
import { autorenewed, deleted, type Held, told, toldOfTransfer, transferred } from './transition.ts';

/** Brings a domain to what the clock says: everything that happened by itself since, at its own moment and in order. */
export function broughtTo(start: Holding, policy: RegistryPolicy, renewal: bigint, now: Instant): Holding {
  let holding = start;
  for (;;) {
    const { domain } = holding;
    if (domain === null) return holding;
    const next = nextHappening(domain, holding.transfer, policy);
    if (next === null || isBefore(now, next.at)) return holding;
    holding = happened({ ...holding, domain }, next, policy, renewal);
  }
}

function happened(held: Held, { kind, at }: Happening, policy: RegistryPolicy, renewal: bigint): Holding {
  const { domain, transfer } = held;
  switch (kind) {
    case 'autorenew': {
      const renewed = autorenewed(held, policy, at, renewal);
      return told(
        renewed,
        domainMessage(renewed, at, 'renewed', 'Renewed by the registry at the end of its term.'),
      );
    }
    case 'expire': {
      const gone = told(
        deleted(held, policy, at),
        domainMessage(held, at, 'deleted', 'Deleted by the registry: it was not renewed.'),
      );
      if (transfer?.status !== 'pending' || gone.transfer === null) return gone;
      const ended = toldOfTransfer({ ...held, transfer: gone.transfer }, transfer.requestedBy, at);
      return { ...gone, messages: [...gone.messages, ...ended.messages.slice(held.messages.length)] };
    }
    case 'purge':
      return told(
        { ...held, domain: null },
        domainMessage(held, at, 'deleted', 'Released: anybody may register it.'),
      );
    case 'lapse_restore': {
      // RFC 3915 §2: without the report it is as if the restore had never been asked for.
      const lapsed = { ...held, domain: { ...domain, restoreRequestedAt: null } };
      return told(lapsed, domainMessage(held, at, 'updated', 'The restore lapsed: no report came.'));
    }
    case 'approve_transfer': {
      if (transfer === null) return held;
      const moved = transferred({ ...held, transfer }, policy, { status: 'serverApproved', at });
      const loser = toldOfTransfer(moved, domain.sponsor, at);
      return toldOfTransfer({ ...moved, messages: loser.messages }, transfer.requestedBy, at);
    }
  }
}

function domainMessage(
  { domain }: Held,
  at: Instant,
  change: 'renewed' | 'deleted' | 'updated',
  text: string,
): Message {
  const about = { kind: 'domain', name: domain.name, change, expireAt: domain.expireAt } as const;
  return { registrar: domain.sponsor, at, text: `${domain.name}: ${text}`, about };
}

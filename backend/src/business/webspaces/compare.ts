import type { FoundSite } from '../../drivers/webserver/port.ts';
import type { ServiceState } from '../selling/subscriptions/service.ts';
import { wantedOfSite } from './desired-state.ts';

/** A webspace as the books have it. */
export interface RecordedWebspace {
  readonly id: string;
  readonly host: string;
  readonly state: ServiceState;
  /** Its site was removed, or never came to be. */
  readonly gone: boolean;
  /** Work is under way: what is found meanwhile means nothing. */
  readonly busy: boolean;
}

export const DIFFERENCE_KINDS = [
  'site_missing',
  'site_unknown',
  'site_elsewhere',
  'site_state_differs',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

export interface Difference {
  readonly kind: DifferenceKind;
  readonly webspaceId: string;
  readonly booked: Readonly<Record<string, unknown>> | null;
  readonly found: Readonly<Record<string, unknown>> | null;
}

export interface Compared {
  /** For an operator: to make, remove or switch a site by itself could lose something (rule C3). */
  readonly differences: readonly Difference[];
  /** Sites that are as the books want them, but whose programs do not run: starting them loses nothing. */
  readonly stopped: readonly string[];
}

/**
 * Compares the books of a host with what it lists. `webspaces` were read after the list and hold every living one of
 * the host and every one that was found; `deliveredBefore` are those that had been delivered before it.
 */
export function compare(
  host: string,
  webspaces: readonly RecordedWebspace[],
  deliveredBefore: ReadonlySet<string>,
  sites: readonly FoundSite[],
): Compared {
  const byId = new Map(webspaces.map((webspace) => [webspace.id, webspace]));
  const foundIds = new Set(sites.map((site) => site.webspaceId));
  const differences: Difference[] = [];
  const stopped: string[] = [];
  for (const { webspaceId, username, state, runs } of sites) {
    const webspace = byId.get(webspaceId);
    if (webspace?.busy) continue;
    if (webspace === undefined || webspace.gone) {
      differences.push({ kind: 'site_unknown', webspaceId, booked: null, found: { username, state } });
      continue;
    }
    const wanted = wantedOfSite(webspace.state);
    if (wanted === null) continue;
    if (webspace.host !== host) {
      const [booked, found] = [{ host: webspace.host }, { host, username }];
      differences.push({ kind: 'site_elsewhere', webspaceId, booked, found });
    } else if (wanted !== state) {
      const [booked, found] = [{ state: webspace.state }, { username, state }];
      differences.push({ kind: 'site_state_differs', webspaceId, booked, found });
    } else if (state === 'on' && !runs) stopped.push(webspaceId);
  }
  for (const { id, host: bookedHost, state, gone, busy } of webspaces) {
    if (bookedHost !== host || gone || busy || !deliveredBefore.has(id) || foundIds.has(id)) continue;
    differences.push({ kind: 'site_missing', webspaceId: id, booked: { state }, found: null });
  }
  return { differences, stopped };
}

export function isDelivered({ state }: { readonly state: ServiceState }): boolean {
  return wantedOfSite(state) !== null;
}

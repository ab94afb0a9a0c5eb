import { sha256 } from '../../../base/canonical.ts';
import type { Instant } from '../../../base/time.ts';
import type { DayUsage, LogKind, SiteUsage } from '../port.ts';

export interface SimulatedSite {
  readonly webspace_id: string;
  readonly suspended: boolean;
  readonly disk: number;
  readonly hostnames: readonly string[];
  readonly databases?: number;
}

const BYTES_PER_REQUEST = 24_576;
const MOST_REQUESTS = 4_000;
const DATABASE_BYTES = 8_388_608;

/** What a site uses: made up, but the same for everyone who asks about that moment. */
export function simulatedUsage(site: SimulatedSite, now: Instant): SiteUsage {
  const id = site.webspace_id;
  const files = share(id, 'files');
  return {
    webspaceId: id,
    diskUsedMib: Math.ceil(site.disk * (0.02 + 0.5 * files)),
    inodesUsed: Math.ceil(500 + 20_000 * files),
    databaseBytes: DATABASE_BYTES * (site.databases ?? 0),
    days: [usageOn(site, now.subtract({ hours: 24 }), 1), usageOn(site, now, partOfDay(now))],
  };
}

function usageOn(site: SimulatedSite, at: Instant, part: number): DayUsage {
  const day = at.toString().slice(0, 10);
  const requests = site.suspended
    ? 0
    : Math.floor(part * MOST_REQUESTS * share(site.webspace_id, `requests ${day}`));
  return { day, requests, trafficBytes: requests * BYTES_PER_REQUEST };
}

function partOfDay(now: Instant): number {
  const midnight = Temporal.Instant.from(`${now.toString().slice(0, 10)}T00:00:00Z`);
  return now.since(midnight).total('hours') / 24;
}

/** Lines as a web server writes them (the combined format), one a minute. */
export function simulatedLog(site: SimulatedSite, kind: LogKind, lines: number, now: Instant): string[] {
  if (kind === 'error' || site.suspended) return [];
  const [hostname = ''] = site.hostnames;
  return Array.from({ length: Math.min(lines, 60) }, (_, index) => {
    const at = now.subtract({ minutes: Math.min(lines, 60) - 1 - index });
    const time = at.toString().slice(0, 19);
    return `192.0.2.${1 + (index % 250)} - - [${time}+00:00] "GET / HTTP/1.1" 200 ${BYTES_PER_REQUEST} "-" "Mozilla/5.0" ${hostname}`;
  });
}

/** From 0 to less than 1, fixed by its arguments. */
function share(id: string, what: string): number {
  return sha256(`${id} ${what}`).readUInt32BE(0) / 2 ** 32;
}

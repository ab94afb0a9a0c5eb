import { z } from 'zod';
import type { SiteRef, WantedSite } from '../port.ts';
import { fileStep } from './files.ts';
import type { Host } from './host.ts';
import type { Step } from './plan.ts';

/** What a host remembers of a site of its: enough to suspend and to remove it without being told again. */
const SiteRecord = z.object({
  webspaceId: z.string(),
  username: z.string(),
  uid: z.int(),
  state: z.enum(['on', 'suspended']),
  hostnames: z.array(z.object({ hostname: z.string(), documentRoot: z.string() })),
  /** The restores that were done. */
  restored: z.array(z.string()).default([]),
});
export type SiteRecord = z.output<typeof SiteRecord>;

const directory = ({ settings }: Host) => `${settings.etc}/sites`;
export const recordPath = (host: Host, { webspaceId }: Pick<SiteRef, 'webspaceId'>) =>
  `${directory(host)}/${webspaceId}.json`;

export async function readRecord(host: Host, site: Pick<SiteRef, 'webspaceId'>): Promise<SiteRecord | null> {
  const text = await host.read(recordPath(host, site));
  return text === null ? null : SiteRecord.parse(JSON.parse(text));
}

/** All sites of the host. */
export async function readRecords(host: Host): Promise<SiteRecord[]> {
  const printed = await host.sh(
    'cd "$1"; for file in *.json; do [ -f "$file" ] || continue; cat "$file"; printf "\\n\\0"; done',
    directory(host),
  );
  return printed
    .split('\0')
    .filter((text) => text.trim() !== '')
    .map((text) => SiteRecord.parse(JSON.parse(text)));
}

/** A site's names but those that another site of the host has by now, with a certificate that is in use. */
export async function namesOfNobodyElse(host: Host, record: SiteRecord | null): Promise<string[]> {
  if (record === null) return [];
  const others = (await readRecords(host)).filter(({ webspaceId }) => webspaceId !== record.webspaceId);
  const taken = new Set(others.flatMap(({ hostnames }) => hostnames.map(({ hostname }) => hostname)));
  return record.hostnames.map(({ hostname }) => hostname).filter((hostname) => !taken.has(hostname));
}

export function recordText(record: SiteRecord): string {
  return `${JSON.stringify(record)}\n`;
}

export function recordStep(
  host: Host,
  site: WantedSite,
  before: SiteRecord | null,
  state: SiteRecord['state'],
): Step {
  const { webspaceId, username, uid, hostnames } = site;
  const restored = before?.restored ?? [];
  const text = recordText({ webspaceId, username, uid, state, hostnames: [...hostnames], restored });
  return fileStep(host, `record: ${state}`, recordPath(host, site), text, { mode: '0600' });
}

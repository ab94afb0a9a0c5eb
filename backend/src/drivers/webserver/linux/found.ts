import type { FoundSite } from '../port.ts';
import type { Host } from './host.ts';
import { phpPid, phpSocket } from './php.ts';
import { readRecords } from './site-record.ts';

// Three words for each site: the file of its process id, its user's number and its socket.
const RUNNING = `while [ $# -gt 0 ]; do
  if pid=$(cat "$1" 2>/dev/null) && [ "$(stat -c %u "/proc/$pid" 2>/dev/null)" = "$2" ] && [ -S "$3" ]; then
    echo up
  else
    echo down
  fi
  shift 3
done`;

/** What one command line can hold, by far. */
const AT_ONCE = 500;

/** All sites of a host, and whether the PHP of each runs. */
export async function foundSites(host: Host): Promise<FoundSite[]> {
  const records = await readRecords(host);
  const running: string[] = [];
  for (let at = 0; at < records.length; at += AT_ONCE) {
    const words = records
      .slice(at, at + AT_ONCE)
      .flatMap((site) => [phpPid(host, site), String(site.uid), phpSocket(host, site)]);
    running.push(...(await host.sh(RUNNING, ...words)).trim().split('\n'));
  }
  return records.map(({ webspaceId, username, state }, at) => ({
    webspaceId,
    username,
    state,
    runs: running[at] === 'up',
  }));
}

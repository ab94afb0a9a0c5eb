import type { Instant } from '../../../base/time.ts';
import type { DayUsage, SiteUsage } from '../port.ts';
import { limitDatabases } from './database-quota.ts';
import type { Host } from './host.ts';
import { databaseBytes } from './mariadb.ts';
import { readRecords } from './site-record.ts';

const BYTES_PER_MIB = 1024 * 1024;
const DAYS_KEPT = 7;

// One line for each site: its user, then the bytes that its group of quotas counts, and those that it allows.
const DISKS = `for site in "$1"/*/; do
  printf '%s ' "$(basename "$site")"
  btrfs qgroup show -rf --raw "$site" | tail -n 1 | awk '{ print $2, $4 }'
done`;

// By day: bytes sent and requests. The time stands first: what follows is said by whoever asks. nginx writes quotes inside of values as \\x22, so quotes can be counted on.
const COUNT = `match($1, /^\\[[0-9-]+T/) { day = substr($1, 2, 10); split($3, part, " ");
  bytes[day] += part[2]; requests[day] += 1 }
END { for (day in bytes) print day, bytes[day], requests[day] }`;
const TRAFFIC = `for logs in "$1"/*/; do
  name=$(basename "$logs")
  for log in "$logs"access.log "$logs"access.log-"$2"* "$logs"access.log-"$3"*; do
    [ -f "$log" ] && cat "$log"
  done | awk -F'"' "$4" | sed "s/^/$name /"
done`;

// A log whose first line is of another day than today is closed; a week of them is kept.
const ROTATE = `today=$2 kept=$3 pidfile=$4 moved=
for logs in "$1"/*/; do
  for kind in access error; do
    log="$logs$kind.log"
    [ -s "$log" ] || continue
    day=$(date -u -r "$log" +%F)
    first=$(head -n 1 "$log" | sed -nE 's/^\\[([0-9]{4}-[0-9]{2}-[0-9]{2})T.*$/\\1/p; s/^([0-9]{4})\\/([0-9]{2})\\/([0-9]{2}) .*$/\\1-\\2-\\3/p' | head -n 1)
    [ "\${first:-$day}" = "$today" ] && continue
    closed="$log-\${first:-$day}" count=0
    # Never onto another: it may hold what was not counted yet.
    while [ -e "$closed" ]; do count=$((count + 1)); closed="$log-\${first:-$day}.$count"; done
    mv -nT "$log" "$closed"
    moved=yes
  done
  for kind in access error; do
    ls -1 "$logs" | grep "^$kind.log-" | sort -r | tail -n "+$((kept + 1))" | while read -r old; do rm -f "$logs$old"; done
  done
done
[ -z "$moved" ] || kill -USR1 "$(cat "$pidfile")"`;

/** Closes the logs of days that are over, and removes those that are older than a week. */
export async function rotateLogs(host: Host, now: Instant): Promise<void> {
  const { log, run } = host.settings;
  await host.sh(ROTATE, log, dayOf(now), String(DAYS_KEPT), `${run}/nginx.pid`);
}

/** What every site of a host uses, after which databases grow no more where the quota is used up. */
export async function usageOfHost(host: Host, now: Instant): Promise<SiteUsage[]> {
  const [today, yesterday] = [dayOf(now), dayOf(now.subtract({ hours: 24 }))];
  const [records, disks, traffic, databases] = await Promise.all([
    readRecords(host),
    host.sh(DISKS, host.settings.sites),
    host.sh(TRAFFIC, host.settings.log, today, yesterday, COUNT),
    databaseBytes(host),
  ]);
  const sites = new Map(
    words(disks).map(([username = '', files, limit]) => {
      const bytes = (Number(files) || 0) + (databases.get(username) ?? 0);
      // It may have no limit: `none`.
      return [username, { bytes, full: bytes > (Number(limit) || Number.POSITIVE_INFINITY) }];
    }),
  );
  await limitDatabases(
    host,
    new Set([...sites].filter(([, { full }]) => full).map(([username]) => username)),
  );
  const counted = Map.groupBy(words(traffic), ([username = '']) => username);
  return records.map(({ webspaceId, username }) => ({
    webspaceId,
    diskUsedMib: Math.ceil((sites.get(username)?.bytes ?? 0) / BYTES_PER_MIB),
    inodesUsed: null,
    databaseBytes: databases.get(username) ?? 0,
    days: daysOf(counted.get(username) ?? [], [yesterday, today]),
  }));
}

function daysOf(lines: readonly string[][], days: readonly string[]): DayUsage[] {
  return days.map((day) => {
    const line = lines.find(([, of]) => of === day);
    return { day, trafficBytes: Number(line?.[2] ?? 0), requests: Number(line?.[3] ?? 0) };
  });
}

function words(printed: string): string[][] {
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '));
}

export function dayOf(now: Instant): string {
  return now.toString().slice(0, 10);
}

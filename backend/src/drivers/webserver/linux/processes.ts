import { script } from '../../host/executor.ts';
import type { SiteRef } from '../port.ts';
import { findUser } from './account.ts';
import type { Host } from './host.ts';
import type { Step } from './plan.ts';
import { FIRST_UID } from './settings.ts';

/** What runs a program with the rights of a site's user, without a way to more. */
export function asUser(uid: number): string[] {
  if (!Number.isInteger(uid) || uid < FIRST_UID) throw new RangeError(`${uid} is no user of a webspace`);
  const id = String(uid);
  return ['setpriv', '--reuid', id, '--regid', id, '--clear-groups', '--no-new-privs'];
}

// Sent by the user themselves to all that they may send signals to, which are exactly their own: the kernel does it under the
// lock that a fork needs as well, so that nothing slips through which starts others all the time (kill(2), pid -1).
const KILL_ALL = 'kill -KILL -1';
// What has ended and was not waited for yet is nothing. A disk that is slow to answer holds a process up.
const ENDED = `for wait in $(seq 1 200); do
  ps -o stat= -U "$1" | grep -qv Z || exit 0
  sleep 0.05
done
echo 'a process does not end' >&2
exit 1`;

/** Ends all that runs as this user, at once. */
export async function endProcesses(host: Host, uid: number): Promise<void> {
  await host.run([...asUser(uid), ...script(KILL_ALL)]);
  await host.sh(ENDED, String(uid));
}

/** Nothing of the user runs. */
export function nothingRunsStep(host: Host, site: SiteRef): Step {
  return {
    name: 'processes',
    async isDone() {
      const found = await findUser(host, site);
      // There is no looking otherwise: a list of processes is read one by one, and what forks meanwhile is missed.
      return found === null || !found.own;
    },
    async apply() {
      const found = await findUser(host, site);
      if (found?.own === true) await endProcesses(host, found.uid);
    },
    undo: async () => {},
  };
}

// Of whichever version the host has, as php.ts makes them. One that something still ends in is left for the kernel.
const GROUPS = `for root in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/memory /sys/fs/cgroup/pids; do
  [ ! -d "$root/$1/$2" ] || echo "$root/$1/$2"
done`;
const REMOVE_GROUPS = `${GROUPS} | xargs -r rmdir || true`;

/** No control group of the site, in which nothing runs. */
export function noControlGroupStep(host: Host, { username }: SiteRef): Step {
  const { mark } = host.settings;
  return {
    name: 'no control group',
    isDone: async () => (await host.sh(GROUPS, mark, username)) === '',
    apply: async () => void (await host.sh(REMOVE_GROUPS, mark, username)),
    undo: async () => {},
  };
}

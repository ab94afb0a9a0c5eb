import type { SiteRef } from '../port.ts';
import type { Host } from './host.ts';
import { PlanRefused, type Step } from './plan.ts';

/** What the comment of a site's user says: whose it is. */
function comment(site: Pick<SiteRef, 'webspaceId'>): string {
  return `hostkeep ${site.webspaceId}`;
}

export interface SystemUser {
  readonly uid: number;
  readonly own: boolean;
}

/** The user of a site's name; null: there is none. */
export async function findUser(host: Host, site: SiteRef): Promise<SystemUser | null> {
  const { code, stdout } = await host.executor.run(['getent', 'passwd', site.username]);
  if (code !== 0) return null;
  const [, , uid = '', , gecos = ''] = stdout.trim().split(':');
  return { uid: Number(uid), own: gecos === comment(site) };
}

// The files of users can be changed by one program at a time.
const LOCKED = ['flock', '--wait', '30', '/run/lock/hostkeep-web-users'];

export function sftpGroup({ settings }: Host): string {
  return `${settings.mark.replaceAll('_', '-')}-sftp`;
}

/** A system user of the site's own, who can log in nowhere. */
export function userStep(host: Host, site: SiteRef & { readonly uid: number }): Step {
  const { username } = site;
  const uid = String(site.uid);
  return {
    name: 'user',
    async isDone() {
      const found = await findUser(host, site);
      if (found === null) {
        // A group of the system's may have rights: `disk`, `shadow`.
        const group = await host.executor.run(['getent', 'group', username]);
        if (group.code === 0 && group.stdout.split(':')[2] !== uid)
          throw new PlanRefused(`the group ${username} belongs to something else`);
        return false;
      }
      if (!found.own || found.uid !== site.uid)
        throw new PlanRefused(`the user ${username} belongs to something else`);
      return true;
    },
    async apply() {
      await host.inTurn('users', async () => {
        // A group may be left of a run that was stopped here.
        await host.run([...LOCKED, 'groupadd', '--force', '--gid', uid, username]);
        await host.run([
          ...[...LOCKED, 'useradd', '--uid', uid, '--gid', uid, '--no-create-home', '--home-dir', '/'],
          ...['--shell', '/usr/sbin/nologin', '--comment', comment(site)],
          // None, but not locked either: a key may open it.
          ...['--password', '*', username],
        ]);
      });
    },
    undo: () => removeUser(host, site),
  };
}

export async function removeUser(host: Host, site: SiteRef): Promise<void> {
  const found = await findUser(host, site);
  if (found !== null && !found.own) return;
  await host.inTurn('users', async () => {
    if (found !== null) await host.run([...LOCKED, 'userdel', '--force', site.username]);
    await host.executor.run([...LOCKED, 'groupdel', site.username]);
  });
}

/** The password as it is wanted; the hash that is there is compared, so that nothing changes without need. */
export function passwordStep(host: Host, site: SiteRef, password: string): Step {
  const hash = (salt: string | null) =>
    host.run(
      ['openssl', 'passwd', '-6', ...(salt === null ? [] : ['-salt', salt]), '-stdin'],
      `${password}\n`,
    );
  return {
    name: 'password',
    async isDone() {
      const { stdout } = await host.executor.run(['getent', 'shadow', site.username]);
      const stored = stdout.split(':')[1] ?? '';
      const salt = /^\$6\$([./A-Za-z0-9]{1,16})\$/.exec(stored)?.[1];
      return salt !== undefined && (await hash(salt)).trim() === stored;
    },
    async apply() {
      const made = (await hash(null)).trim();
      await host.inTurn('users', () => host.run([...LOCKED, 'chpasswd', '-e'], `${site.username}:${made}\n`));
    },
    undo: async () => {},
  };
}

/** Whether SFTP lets the user in at all: members of the group only. */
export function memberStep(host: Host, site: SiteRef, wanted: boolean): Step {
  const group = sftpGroup(host);
  const change = (member: boolean) =>
    host.inTurn('users', () =>
      host.run([...LOCKED, 'gpasswd', member ? '--add' : '--delete', site.username, group]),
    );
  return {
    name: wanted ? 'sftp on' : 'sftp off',
    async isDone() {
      const { code, stdout } = await host.executor.run(['id', '-nG', site.username]);
      return code === 0 ? stdout.trim().split(' ').includes(group) === wanted : !wanted;
    },
    apply: async () => void (await change(wanted)),
    undo: async () => void (wanted && (await change(false))),
  };
}

import { script } from '../../host/executor.ts';
import type { SiteRef } from '../port.ts';
import type { Host } from './host.ts';
import type { Step } from './plan.ts';

const BYTES_PER_MIB = 1024 * 1024;

export function siteDirectory({ settings }: Host, site: Pick<SiteRef, 'username'>): string {
  return `${settings.sites}/${site.username}`;
}

/** What a site keeps and may keep, in bytes; null: there is no such site. */
export async function diskUsage(
  host: Host,
  site: Pick<SiteRef, 'username'>,
): Promise<{ readonly used: number; readonly limit: number | null } | null> {
  const { code, stdout } = await host.executor.run([
    ...['btrfs', 'qgroup', 'show', '-rf', '--raw', siteDirectory(host, site)],
  ]);
  if (code !== 0) return null;
  const [, used = '', , limit = ''] = stdout.trim().split('\n').at(-1)?.trim().split(/\s+/) ?? [];
  return { used: Number(used), limit: /^\d+$/.test(limit) ? Number(limit) : null };
}

/** A subvolume of the site's own: what can be counted and limited, and removed at once. */
export function subvolumeStep(host: Host, site: SiteRef): Step {
  const path = siteDirectory(host, site);
  return {
    name: 'subvolume',
    isDone: () => host.holds(['btrfs', 'subvolume', 'show', path]),
    apply: async () => void (await host.run(['btrfs', 'subvolume', 'create', path])),
    undo: async () => void (await host.run(['btrfs', 'subvolume', 'delete', '--commit-after', path])),
  };
}

// One may be left of a run that was stopped. Its group of quotas does not go by itself.
const FORGET = `[ -e "$1" ] || exit 0
id=$(btrfs subvolume show "$1" | sed -n 's/.*Subvolume ID:[[:space:]]*//p')
btrfs subvolume delete "$1" >/dev/null
btrfs qgroup destroy "0/$id" "$2" 2>/dev/null || true`;

/** Looks at a site as it is at one moment, while its programs write on. One look at a time. */
export async function withSnapshot<T>(
  host: Host,
  site: Pick<SiteRef, 'username'>,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const { sites } = host.settings;
  // Not the name of a user.
  const path = `${sites}/.backup-${site.username}`;
  await host.sh(FORGET, path, sites);
  await host.run(['btrfs', 'subvolume', 'snapshot', '-r', siteDirectory(host, site), path]);
  try {
    return await work(path);
  } finally {
    await host.sh(FORGET, path, sites);
  }
}

/** At most so much in it; a write beyond fails with EDQUOT, at the exact byte. */
export function quotaStep(host: Host, site: SiteRef & { readonly diskMib: number }): Step {
  const bytes = site.diskMib * BYTES_PER_MIB;
  return {
    name: 'quota',
    isDone: async () => (await diskUsage(host, site))?.limit === bytes,
    apply: async () =>
      void (await host.run(['btrfs', 'qgroup', 'limit', String(bytes), siteDirectory(host, site)])),
    undo: async () => {},
  };
}

// The site's own directory is root's, so that its user cannot open it for others, whatever they do inside: SFTP's
// chroot needs that as well. Only they and the web server get through.
const MAKE = `base=$1 user=$2 web=$3
chown root:root "$base"
chmod 0700 "$base"
setfacl --set "u::rwx,g::---,o::---,u:$user:r-x,u:$web:--x,m::r-x" "$base"
install -d -o "$user" -g "$user" -m 0755 "$base/htdocs"
for private in private tmp; do install -d -o "$user" -g "$user" -m 0700 "$base/$private"; done`;
const LOOK = `stat -c '%U %a' "$1" "$1/htdocs" "$1/private" "$1/tmp" | tr '\\n' ' '
getfacl -cpE "$1" | grep ^user: | tr '\\n' ' '`;

export function directoriesStep(host: Host, site: SiteRef): Step {
  const path = siteDirectory(host, site);
  const { username } = site;
  const web = host.settings.webUser;
  return {
    name: 'directories',
    async isDone() {
      const { stdout } = await host.executor.run(['sh', '-c', LOOK, 'sh', path]);
      const [root, acl] = [stdout.startsWith('root 750 '), stdout.split(' user:')];
      const entries = new Set(acl.slice(1).map((entry) => entry.trim()));
      const own = new RegExp(`^root \\d+ (${username} \\d+ ){3}`).test(stdout);
      return root && own && entries.has(`${username}:r-x`) && entries.has(`${web}:--x`);
    },
    apply: async () => void (await host.sh(MAKE, path, username, web)),
    undo: async () => {},
  };
}

/** Where what visitors send waits until it is whole; not the name of a user. */
export const uploadDirectory = ({ settings }: Host, site: Pick<SiteRef, 'username'>) =>
  `${settings.sites}/.uploads-${site.username}`;

/** Of the largest uploads four at a time. */
const MOST_UPLOADED = 4 * 256 * BYTES_PER_MIB;

const UPLOADS = `[ "$(stat -c "%U %a" "$1" 2>/dev/null)" = "$2 700" ] || exit 1
btrfs qgroup show -rf --raw "$1" | awk -v most="$3" 'END { exit $4 != most }'`;
const MAKE_UPLOADS = `btrfs subvolume show "$1" >/dev/null 2>&1 || btrfs subvolume create "$1"
btrfs qgroup limit "$3" "$1"
chown "$2":root "$1"
chmod 0700 "$1"`;

/**
 * Uploads to a site have a quota of their own while they arrive, so that no site's visitors fill the disk of others. In that
 * of the site they could leave its programs without room. Only the web server opens them.
 */
export function uploadsStep(host: Host, site: SiteRef): Step {
  const values = [uploadDirectory(host, site), host.settings.webUser, String(MOST_UPLOADED)];
  return {
    name: 'uploads',
    isDone: () => host.holds(script(UPLOADS, ...values)),
    apply: async () => void (await host.sh(MAKE_UPLOADS, ...values)),
    undo: () => forgetUploads(host, site),
  };
}

/** No room for uploads to the site, which nothing serves any more. */
export function noUploadsStep(host: Host, site: SiteRef): Step {
  return {
    name: 'no uploads',
    isDone: async () => !(await host.holds(['test', '-e', uploadDirectory(host, site)])),
    apply: () => forgetUploads(host, site),
    undo: async () => {},
  };
}

async function forgetUploads(host: Host, site: SiteRef): Promise<void> {
  await host.sh(FORGET, uploadDirectory(host, site), host.settings.sites);
}

/** No subvolume of the site. */
export function noSubvolumeStep(host: Host, site: SiteRef): Step {
  const path = siteDirectory(host, site);
  return {
    name: 'no subvolume',
    isDone: async () => !(await host.holds(['test', '-e', path])),
    async apply() {
      // Its group of quotas does not go by itself.
      const id = (await host.run(['btrfs', 'subvolume', 'show', path])).match(/Subvolume ID:\s*(\d+)/)?.[1];
      await host.run(['btrfs', 'subvolume', 'delete', '--commit-after', path]);
      if (id !== undefined)
        await host.executor.run(['btrfs', 'qgroup', 'destroy', `0/${id}`, host.settings.sites]);
    },
    undo: async () => {},
  };
}

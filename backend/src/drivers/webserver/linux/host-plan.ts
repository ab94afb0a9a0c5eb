import { script } from '../../host/executor.ts';
import { sftpGroup } from './account.ts';
import { fileStep } from './files.ts';
import { firewallText } from './firewall.ts';
import type { Host } from './host.ts';
import { mainText, SUSPENDED_PAGE } from './nginx.ts';
import type { Step } from './plan.ts';
import { sftpLimitStep, sshdText } from './sftp.ts';

const LAYOUT = `etc=$1 run=$2 log=$3 spool=$4
install -d -m 0711 "$etc" "$etc/acme" "$etc/acme/.well-known" "$etc/acme/.well-known/acme-challenge" "$etc/pages" \\
  "$etc/keys" "$etc/php"
install -d -m 0700 "$etc/tls" "$etc/sites" "$etc/sshd" "$etc/nginx" "$etc/nginx/sites"
install -d -m 0711 "$run" "$log" "$spool"`;

// Customers see nothing of each other in it: neither names nor keys.
const LAID_OUT = '[ "$(stat -c %a "$1/nginx" "$1/php" "$2" "$3" | xargs)" = "700 711 711 711" ]';

/** What a host needs before it can have sites. Starting nginx, sshd and MariaDB is the system's. */
export function hostSteps(host: Host): Step[] {
  const { settings } = host;
  const key = `${settings.etc}/sshd/host_ed25519`;
  const nothing = async () => {};
  return [
    {
      name: 'layout',
      isDone: () => host.holds(script(LAID_OUT, settings.etc, settings.log, settings.spool)),
      apply: async () =>
        void (await host.sh(LAYOUT, settings.etc, settings.run, settings.log, settings.spool)),
      undo: nothing,
    },
    {
      name: 'sftp group',
      isDone: () => host.holds(['getent', 'group', sftpGroup(host)]),
      apply: async () => void (await host.run(['groupadd', '--force', '--system', sftpGroup(host)])),
      undo: nothing,
    },
    {
      name: 'host key',
      isDone: () => host.holds(['test', '-s', key]),
      apply: async () => void (await host.run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key])),
      undo: nothing,
    },
    fileStep(host, 'sshd configuration', `${settings.etc}/sshd/sshd_config`, sshdText(host)),
    sftpLimitStep(host),
    fileStep(host, 'suspended page', `${settings.etc}/pages/suspended.html`, SUSPENDED_PAGE),
    fileStep(host, 'nginx configuration', `${settings.etc}/nginx/nginx.conf`, mainText(host)),
    fileStep(host, 'firewall rules', `${settings.etc}/firewall.nft`, firewallText(host), {
      changed: async () => void (await host.run(['nft', '-f', `${settings.etc}/firewall.nft`])),
    }),
    {
      name: 'firewall',
      isDone: () => host.holds(['nft', 'list', 'table', 'inet', settings.mark]),
      apply: async () => void (await host.run(['nft', '-f', `${settings.etc}/firewall.nft`])),
      undo: nothing,
    },
  ];
}

/** Of the SFTP server's keys. */
export async function sftpFingerprints(host: Host): Promise<string[]> {
  const printed = await host.run(['ssh-keygen', '-l', '-f', `${host.settings.etc}/sshd/host_ed25519.pub`]);
  return printed.split(/\s+/).filter((word) => word.startsWith('SHA256:'));
}

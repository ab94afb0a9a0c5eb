import { script } from '../../host/executor.ts';
import { sftpGroup } from './account.ts';
import type { Host } from './host.ts';
import type { Step } from './plan.ts';

const configuration = ({ settings }: Host) => `${settings.etc}/sshd/sshd_config`;

/**
 * What sshd is told. Of those who have not said yet who they are, few come from one address; and who has said it, but
 * begins nothing, does not stay.
 */
export function sshdText(host: Host): string {
  const { settings } = host;
  const listen = settings.http.addresses
    .map(
      (address) => `ListenAddress ${address.includes(':') ? `[${address}]` : address}:${settings.sftpPort}`,
    )
    .join('\n');
  return `# Made by Hostkeep. Changes are lost.
${listen}
HostKey ${settings.etc}/sshd/host_ed25519
PidFile ${settings.run}/sshd.pid
UsePAM no
PermitRootLogin no
AllowGroups ${sftpGroup(host)}
PasswordAuthentication yes
PubkeyAuthentication yes
KbdInteractiveAuthentication no
AuthorizedKeysFile ${settings.etc}/keys/%u
ChrootDirectory ${settings.sites}/%u
ForceCommand internal-sftp -d /htdocs -u 0022
Subsystem sftp internal-sftp
DisableForwarding yes
PermitTTY no
PermitTunnel no
PermitUserRC no
PermitUserEnvironment no
MaxAuthTries 3
LoginGraceTime 20
MaxStartups 100:30:200
PerSourceMaxStartups 10
PerSourceNetBlockSize 32:64
UnusedConnectionTimeout 10
ClientAliveInterval 60
LogLevel VERBOSE
`;
}

/** What a site may have beside its programs: two for each session of SFTP. */
const SFTP_PROCESSES = 20;

// Its title names its configuration: whatever else has its number by now is not it.
const FIND = 'pid=$(cat "$1" 2>/dev/null) && grep -qF "$2" "/proc/$pid/cmdline" 2>/dev/null || exit 0';
const LIMITED = `${FIND}
awk -v most="$3" '/^Max processes/ { exit $3 != most || $4 != most }' "/proc/$pid/limits"`;
const LIMIT = `${FIND}
prlimit --pid "$pid" --nproc="$3:$3"`;

/**
 * No session of SFTP begins for a user who has so many processes, those of PHP counted as well. Sessions are in no
 * control group: they inherit the limit of sshd, which root itself does not feel, whoever started it and with which.
 */
export function sftpLimitStep(host: Host): Step {
  const { settings } = host;
  const most = String(settings.processes + SFTP_PROCESSES);
  const values = [`${settings.run}/sshd.pid`, configuration(host), most];
  return {
    name: 'sftp limit',
    isDone: () => host.holds(script(LIMITED, ...values)),
    apply: async () => void (await host.sh(LIMIT, ...values)),
    undo: async () => {},
  };
}

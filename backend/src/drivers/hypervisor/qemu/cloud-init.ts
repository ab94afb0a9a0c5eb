import { randomBytes } from 'node:crypto';
import { stringify } from 'yaml';
import { macAddress } from '../../../base/mac-address.ts';
import { contains, type Network, readAddress, readNetwork, writeAddress } from '../../../base/network.ts';
import type { WantedMachine } from '../port.ts';

/** The files of a NoCloud seed. */
export interface Seed {
  readonly metaData: string;
  readonly userData: string;
  readonly vendorData: string;
  readonly networkConfig: string;
}

export interface SeedLogin {
  readonly username: string;
  /** null: no password opens it. */
  readonly passwordHash: string | null;
  readonly sshKeys: readonly string[];
}

type Addressed = Pick<WantedMachine, 'serverId' | 'ipv4' | 'ipv6'>;

export interface SeedOptions {
  readonly machine: Addressed & Pick<WantedMachine, 'generation' | 'hostname'>;
  readonly login: SeedLogin;
  readonly userData: string | null;
  /** 0 for the first start of a generation; later ones change the password and nothing else (rule G3). */
  readonly passwordRevision: number;
  readonly resolvers: readonly string[];
}

// cloud-init runs it at the end of the first start, and the hypervisor then removes the seed: so what was made from it,
// and the host's keys, which are made once, must have reached the disk, whatever becomes of the power from then on.
const REPORT = `#!/bin/sh
sync
for port in /dev/virtio-ports/hostkeep.boot; do
  [ -e "$port" ] && echo started >"$port"
done
exit 0
`;

/** What cloud-init reads at the first start: every text is data to it, none is a command or a place in a path. */
export function seedOf({ machine, login, userData, passwordRevision, resolvers }: SeedOptions): Seed {
  const instance = `${machine.serverId}-${machine.generation}`;
  const config = yaml({
    fqdn: machine.hostname,
    hostname: machine.hostname.split('.')[0],
    preserve_hostname: false,
    manage_etc_hosts: true,
    disable_root: false,
    ssh_pwauth: login.passwordHash !== null,
    // A later seed must not replace the keys by which its users know the server.
    ssh_deletekeys: passwordRevision === 0,
    users: [
      {
        name: login.username,
        lock_passwd: login.passwordHash === null,
        ...(login.username === 'root' ? {} : { sudo: 'ALL=(ALL) NOPASSWD:ALL', shell: '/bin/bash' }),
        ...(login.sshKeys.length === 0 ? {} : { ssh_authorized_keys: login.sshKeys }),
      },
    ],
    ...(login.passwordHash === null
      ? {}
      : {
          chpasswd: {
            expire: false,
            users: [{ name: login.username, password: login.passwordHash, type: 'hash' }],
          },
        }),
  });
  const ours = `#cloud-config\n${config}`;
  return {
    metaData: yaml({
      'instance-id': passwordRevision === 0 ? instance : `${instance}-${passwordRevision}`,
      'local-hostname': machine.hostname,
    }),
    userData: userData === null ? ours : multipart(ours, userData),
    vendorData: REPORT,
    networkConfig: yaml(networkOf(machine, resolvers)),
  };
}

/**
 * Both parts as one message (RFC 2046). cloud-init finds out itself what the customer's is; a message in parts of its own
 * is a part as it is.
 */
function multipart(ours: string, userData: string): string {
  const boundary = randomBytes(24).toString('hex');
  const isMessage = /^(content-type: *multipart|mime-version:)/i.test(userData);
  const theirs = isMessage
    ? userData
    : [
        'Content-Type: text/plain; charset="utf-8"',
        'Content-Transfer-Encoding: base64',
        'Content-Disposition: attachment; filename="user-data"',
        '',
        Buffer.from(userData).toString('base64').replace(/.{76}/g, '$&\n'),
      ].join('\n');
  return [
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    'MIME-Version: 1.0',
    '',
    `--${boundary}`,
    'Content-Type: text/cloud-config; charset="utf-8"',
    'Content-Transfer-Encoding: 8bit',
    '',
    ours,
    `--${boundary}`,
    theirs,
    `--${boundary}--`,
    '',
  ].join('\n');
}

/** Network configuration, version 2. Cards are found by their address; `default` is not understood everywhere. */
function networkOf({ serverId, ipv4, ipv6 }: Addressed, resolvers: readonly string[]): object {
  const [first4, first6] = [ipv4[0], ipv6[0]];
  return {
    version: 2,
    ethernets: {
      primary: {
        match: { macaddress: macAddress(serverId) },
        dhcp4: false,
        dhcp6: false,
        'accept-ra': false,
        addresses: [
          ...ipv4.map(({ address, gateway }) => `${address}/${onLinkPrefix(address, gateway)}`),
          ...ipv6.map(({ network }) => `${firstAddress(network)}/${network.split('/')[1]}`),
        ],
        routes: [
          ...(first4 === undefined ? [] : [{ to: '0.0.0.0/0', via: first4.gateway }]),
          ...(first6 === undefined
            ? []
            : [
                {
                  to: '::/0',
                  via: first6.gateway,
                  ...(isOnLink(first6) ? {} : { 'on-link': true }),
                },
              ]),
        ],
        ...(resolvers.length === 0 ? {} : { nameservers: { addresses: resolvers } }),
      },
    },
  };
}

const IPV4_BITS = 32;

/**
 * The longest prefix by which an address reaches its gateway without a router, and is neither the first nor the last
 * address of its network. Everything else is reached through the gateway.
 */
export function onLinkPrefix(address: string, gateway: string): number {
  const [own, other] = [readAddress(address), readAddress(gateway)];
  for (let prefix = IPV4_BITS - 2; prefix > 0; prefix -= 1) {
    const size = 1n << BigInt(IPV4_BITS - prefix);
    const first = ((own?.value ?? 0n) / size) * size;
    const last = first + size - 1n;
    const inside = (value: bigint | undefined) => value !== undefined && value > first && value < last;
    if (inside(own?.value) && inside(other?.value)) return prefix;
  }
  return 0;
}

/** The address that a machine itself has of its network. */
export function firstAddress(network: string): string {
  const read = readNetwork(network);
  if (read === null) throw new RangeError(`${network} is not a network`);
  return writeAddress({ family: read.family, value: read.first + 1n });
}

function isOnLink({ network, gateway }: { readonly network: string; readonly gateway: string }): boolean {
  const [own, via] = [readNetwork(network), readAddress(gateway)];
  const linkLocal: Network | null = readNetwork('fe80::/10');
  if (own === null || via === null || linkLocal === null) return false;
  return contains(own, via) || contains(linkLocal, via);
}

/**
 * Every value in quotes and on one line: a text is never taken for something else (`02:12:11:10:09:08` is a number in
 * YAML 1.1, which cloud-init reads), and simple readers of seeds need not know more.
 */
function yaml(value: object): string {
  return stringify(value, { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' });
}

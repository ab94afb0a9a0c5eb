import { createDecipheriv } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** How the minimal program answers one operation: the select of the row, and the `data` made from it. */
export interface MinimalAnswer<Row> {
  readonly message: string;
  /** $1 the thing, $2 its account. Times come as text in the wire's form: a driver that parses them would only cost. */
  readonly select: string;
  data(row: Row, constants: Constants, open: Opener): object;
}

/** What all things of the bench have in common because they were sold as one package, in the wire's form. */
export interface Constants {
  readonly package: object;
  readonly pricings: object;
  readonly hostsystem: object;
  readonly os: object;
  readonly ddosProtection: string;
  readonly nameTemplate: string;
}

interface LicenseRow {
  id: string;
  number: number;
  custom_name: string | null;
  state: string;
  auto_renew: boolean;
  version: number;
  expire_at: string;
  created_at: string;
  last_validated_at: string | null;
  key_sealed: Buffer;
  bindings: object[] | null;
}

const license: MinimalAnswer<LicenseRow> = {
  message: 'The license was found.',
  select: `SELECT s.id, s.number::int AS number, s.custom_name, s.state, s.auto_renew, s.version,
      to_char(s.expire_at, 'YYYY-MM-DD HH24:MI:SS') AS expire_at,
      to_char(s.created_at, 'YYYY-MM-DD HH24:MI:SS') AS created_at,
      to_char(l.last_validated_at, 'YYYY-MM-DD HH24:MI:SS') AS last_validated_at, l.key_sealed,
      (SELECT json_agg(json_build_object('id', b.id, 'ip_address', host(b.ip_address), 'description', b.description,
         'created_at', to_char(b.created_at, 'YYYY-MM-DD HH24:MI:SS')) ORDER BY b.id)
       FROM license_bindings b WHERE b.license_id = s.id) AS bindings
    FROM services s JOIN licenses l ON l.id = s.id WHERE s.id = $1 AND s.account_id = $2`,
  data(row, constants, open) {
    const bindings = row.bindings ?? [];
    return {
      uuid: row.id,
      id: row.number,
      license_key: open('license-key', row.key_sealed),
      state: row.state,
      state_text: 'Active',
      expire_at: row.expire_at,
      created_at: row.created_at,
      custom_name: row.custom_name,
      package: constants.package,
      pricings: constants.pricings,
      ip_bindings: bindings,
      ip_bindings_count: bindings.length,
      info: [],
      auto_renew: row.auto_renew,
      last_validated_at: row.last_validated_at,
      currency: 'EUR',
      version: row.version,
    };
  },
};

interface ServerRow {
  id: string;
  custom_name: string | null;
  state: string;
  auto_renew: boolean;
  version: number;
  expire_at: string;
  hostname: string;
  username: string;
  password_sealed: Buffer;
  cores: string;
  memory: string;
  disk: string;
  uplink: string;
  addresses: { family: number; address: string; gateway: string; rdns: string | null }[];
}

const server: MinimalAnswer<ServerRow> = {
  message: 'The server was found.',
  select: `SELECT s.id, s.custom_name, s.state, s.auto_renew, s.version, v.hostname, v.username, v.password_sealed,
      to_char(s.expire_at, 'YYYY-MM-DD HH24:MI:SS') AS expire_at,
      v.cores::text AS cores, v.memory::text AS memory, v.disk::text AS disk, v.uplink::text AS uplink,
      (SELECT json_agg(json_build_object('address', a.address, 'family', a.family, 'gateway', a.gateway,
         'rdns', a.rdns) ORDER BY a.family, a.address)
       FROM addresses a WHERE a.server_id = v.id) AS addresses
    FROM services s JOIN servers v ON v.id = s.id WHERE s.id = $1 AND s.account_id = $2`,
  data(row, constants, open) {
    const ipv4 = row.addresses.find((given) => given.family === 4);
    const ipv6 = row.addresses.find((given) => given.family === 6);
    const { cores, memory, disk, uplink, username, hostname } = row;
    return {
      uuid: row.id,
      hostsystem: constants.hostsystem,
      config: {
        cores,
        memory,
        disk,
        os: constants.os,
        username,
        password: open('server-password', row.password_sealed),
        hostname,
        uplink,
        ipv4: {
          ip_address: ipv4?.address,
          ip_gateway: ipv4?.gateway,
          ddos_protection: constants.ddosProtection,
          rdns:
            ipv4?.rdns ??
            constants.nameTemplate.replace('{address}', ipv4?.address.replaceAll('.', '-') ?? ''),
        },
        ipv6: { ip_address: ipv6?.address, ip_gateway: ipv6?.gateway },
      },
      state: row.state,
      custom_name: row.custom_name,
      expire_at: row.expire_at,
      auto_renew: row.auto_renew,
      version: row.version,
    };
  },
};

export const minimalAnswers = { 'panel/details': license, 'server/config': server } as const;
export type MinimalOperation = keyof typeof minimalAnswers;

export type Opener = (purpose: string, sealed: Buffer) => string;

/** Opens AES-256-GCM values of the form `1 | id length | id | nonce 12 | tag 16 | ciphertext`. */
export function opener(keyFile: string): Opener {
  const file = JSON.parse(readFileSync(keyFile, 'utf8')) as { current: string; keys: Record<string, string> };
  const key = Buffer.from(file.keys[file.current] ?? '', 'base64');
  return (purpose, sealed) => {
    const at = 2 + (sealed[1] ?? 0);
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(at, at + 12));
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(sealed.subarray(at + 12, at + 28));
    return decipher.update(sealed.subarray(at + 28), undefined, 'utf8') + decipher.final('utf8');
  };
}

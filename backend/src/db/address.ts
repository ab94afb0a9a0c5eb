/** One server of a database's address; a host that begins with a slash is a directory of sockets. */
export interface Host {
  readonly host: string;
  readonly port: number;
}

/** Which servers will do: any that answers, one that writes, or one that is no standby. */
export type SessionAttribute = 'any' | 'read-write' | 'primary';

export interface DatabaseAddress {
  readonly hosts: readonly Host[];
  readonly sessions: SessionAttribute;
  /** The same address with the first host only, as drivers that know one host take it. */
  readonly ofFirst: string;
}

const PARTS = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#@]*)(\/[^?#]*)?(?:\?([^#]*))?$/;
const HOST = /^(\[[0-9a-f:.%]+\]|[^:[\]]*)(?::(\d{1,5}))?$/i;

/**
 * Reads `postgres://user:password@host:port,host:port/database?target_session_attrs=read-write`, as libpq does.
 * Null when it is no such address.
 */
export function parseDatabaseAddress(text: string): DatabaseAddress | null {
  const parts = PARTS.exec(text);
  if (parts === null) return null;
  const [, scheme = '', login, authority = '', path = '', query = ''] = parts;
  const parameters = new URLSearchParams(query);
  const sessions = sessionAttribute(parameters.get('target_session_attrs') ?? 'any');
  const listed = parameters.get('host');
  const hosts =
    listed === null
      ? hostsOf(authority.split(','))
      : hostsOfParameters(listed.split(','), parameters.get('port')?.split(',') ?? []);
  const [first] = hosts ?? [];
  if (sessions === null || hosts === null || first === undefined) return null;
  parameters.delete('target_session_attrs');
  if (hosts.length > 1) for (const name of ['host', 'port']) parameters.delete(name);
  const rest = parameters.size === 0 ? '' : `?${parameters}`;
  const one = hosts.length === 1 ? authority : written(first);
  return {
    hosts,
    sessions,
    ofFirst: `${scheme}${login === undefined ? '' : `${login}@`}${one}${path}${rest}`,
  };
}

function sessionAttribute(value: string): SessionAttribute | null {
  return value === 'any' || value === 'read-write' || value === 'primary' ? value : null;
}

function hostsOf(texts: readonly string[]): Host[] | null {
  const hosts: Host[] = [];
  for (const text of texts) {
    const found = HOST.exec(text);
    if (found === null || (text === '' && texts.length > 1)) return null;
    const host = hostOf(found[1] ?? '', found[2]);
    if (host === null) return null;
    hosts.push(host);
  }
  return hosts;
}

/** A single port is that of all hosts. */
function hostsOfParameters(names: readonly string[], ports: readonly string[]): Host[] | null {
  if (ports.length > 1 && ports.length !== names.length) return null;
  const hosts = names.map((name, index) => hostOf(name, ports.length === 1 ? ports[0] : ports[index]));
  return hosts.every((host) => host !== null) ? hosts : null;
}

function hostOf(name: string, port: string | undefined): Host | null {
  const number = port === undefined || port === '' ? 5432 : Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) return null;
  try {
    const host = decodeURIComponent(name).replace(/^\[(.*)\]$/, '$1');
    return { host: host === '' ? 'localhost' : host, port: number };
  } catch {
    return null; // a stray percent sign
  }
}

function written({ host, port }: Host): string {
  if (host.startsWith('/')) return `${encodeURIComponent(host)}:${port}`;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

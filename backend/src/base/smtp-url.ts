/** A mail server, and how to speak to it. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** tls: from the first byte. starttls: turned on before anything else, or nothing is sent. */
  readonly encryption: 'tls' | 'starttls' | 'none';
  readonly login: { readonly user: string; readonly password: string } | null;
}

const SMTPS_PORT = 465;
/** Submission (RFC 6409). */
const SMTP_PORT = 587;

/**
 * Reads `smtps://user:password@host:port`, or `smtp://…`, which means STARTTLS except to this machine;
 * `?tls=none` and `?tls=required` say otherwise. null: it is no such address, or a password would travel
 * unencrypted.
 */
export function parseSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text);
  if (url === null || url.hostname === '' || !/^\/?$/.test(url.pathname) || url.hash !== '') return null;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const local = isLoopback(host);
  const encryption = encryptionOf(url, local);
  const login = loginOf(url);
  if (encryption === null || login === 'unreadable') return null;
  if (login !== null && encryption === 'none' && !local) return null;
  const port = url.port === '' ? (encryption === 'tls' ? SMTPS_PORT : SMTP_PORT) : Number(url.port);
  return { host, port, encryption, login };
}

function encryptionOf(url: URL, local: boolean): SmtpServer['encryption'] | null {
  if (url.protocol === 'smtps:') return url.search === '' ? 'tls' : null;
  if (url.protocol !== 'smtp:') return null;
  switch (url.search) {
    case '':
      return local ? 'none' : 'starttls';
    case '?tls=required':
      return 'starttls';
    case '?tls=none':
      return 'none';
    default:
      return null;
  }
}

function loginOf({ username, password }: URL): SmtpServer['login'] | 'unreadable' {
  if (username === '' && password === '') return null;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return 'unreadable';
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

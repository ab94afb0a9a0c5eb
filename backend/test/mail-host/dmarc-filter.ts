/**
 * A filter of OpenSMTPD (smtpd-filters(7)), where an operator has Rspamd or OpenDMARC: it puts the results of its checks
 * on top of each mail, and takes off those that came with it under our name (RFC 8601 §5). What DNS would say is given:
 * `<our name> <domain>=<address that may send for it>…`.
 */
import { createInterface } from 'node:readline';

const [authserv = '', ...given] = process.argv.slice(2);
const senders = new Map(given.map((pair) => pair.split('=', 2) as [domain: string, address: string]));

interface Session {
  readonly address: string;
  sender: string;
  /** Of the mail under way, until its header ends; null: it has. */
  header: string[] | null;
}
const sessions = new Map<string, Session>();

for await (const line of createInterface({ input: process.stdin })) {
  const [kind, , , , event, session = '', ...rest] = line.split('|');
  if (line === 'config|ready') register();
  else if (kind === 'report') note(event, session, rest);
  else if (kind === 'filter') pass(session, rest[0] ?? '', rest.slice(1).join('|'));
}

function register(): void {
  for (const event of ['link-connect', 'link-disconnect', 'tx-mail'])
    print('register', 'report', 'smtp-in', event);
  print('register', 'filter', 'smtp-in', 'data-line');
  print('register', 'ready');
}

function note(event: string | undefined, id: string, rest: readonly string[]): void {
  const session = sessions.get(id);
  if (event === 'link-connect')
    sessions.set(id, { address: (rest[2] ?? '').replace(/:\d+$/, ''), sender: '', header: [] });
  else if (event === 'link-disconnect') sessions.delete(id);
  else if (session) [session.sender, session.header] = [rest[2] ?? '', []];
}

/** A header is kept until it is whole. */
function pass(id: string, token: string, line: string): void {
  const say = (text: string) => print('filter-dataline', id, token, text);
  const session = sessions.get(id);
  if (!session?.header) {
    say(line);
    return;
  }
  session.header.push(line);
  if (line !== '' && line !== '.') return;
  say(`Authentication-Results: ${authserv}; ${verdict(session, session.header)}`);
  for (const kept of withoutResults(session.header)) say(kept);
  session.header = null;
}

/** SPF, aligned with From (RFC 7489 §3.1.2). */
function verdict({ address, sender }: Session, header: readonly string[]): string {
  const from = domainOf(header.find((line) => /^from:/i.test(line)) ?? '');
  const passed = from !== '' && senders.get(from) === address && domainOf(sender) === from;
  const spf = `spf=${passed ? 'pass' : 'fail'} smtp.mailfrom=${domainOf(sender)}`;
  return `${spf}; dmarc=${passed ? 'pass' : 'fail'} header.from=${from}`;
}

function withoutResults(header: readonly string[]): string[] {
  const fields = header.join('\n').split(/\n(?![ \t])/);
  return fields
    .filter((field) => !field.startsWith(`Authentication-Results: ${authserv}`))
    .flatMap((field) => field.split('\n'));
}

function domainOf(text: string): string {
  return /@([\w.-]+)/.exec(text)?.[1]?.toLowerCase() ?? '';
}

function print(...fields: readonly string[]): void {
  process.stdout.write(`${fields.join('|')}\n`);
}

import { randomInt } from 'node:crypto';
import { statement } from '../../db/statement.ts';
import type { Transaction } from '../../db/transaction.ts';

/** What a system user of a webspace may be called. */
export const USERNAME = /^[a-z][a-z0-9]{2,15}$/;

// Names that systems and mail use for themselves (RFC 2142), whatever else a host has: a driver refuses those, too.
const RESERVED: ReadonlySet<string> = new Set(
  `root daemon bin sys sync games man mail lp news uucp proxy www wwwdata backup list irc gnats nobody mysql mariadb
   postgres redis nginx apache php ftp ssh sshd sftp admin administrator abuse hostmaster postmaster webmaster
   security support hostkeep default localhost test systemd messagebus ntp chrony bind unbound dovecot postfix
   exim opendkim rspamd clamav git cron operator staff users docker libvirt
   adm tty disk kmem dialout fax voice cdrom floppy tape sudo audio dip src shadow utmp video sasl plugdev
   input sgx kvm render crontab nogroup wheel netdev lxd`.split(/\s+/),
);

export function isReserved(username: string): boolean {
  return RESERVED.has(username);
}

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const RANDOM_LETTERS = 9;

/** A name that nobody has. */
export function newUsername(): string {
  return `w${Array.from({ length: RANDOM_LETTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
}

const claim = statement<object>(
  'claim_webspace_username',
  "SELECT pg_advisory_xact_lock(hashtextextended('webspace user ' || $1, 0))",
);
const taken = statement<object>(
  'webspace_username_taken',
  'SELECT FROM webspaces WHERE username = $1 AND removed_at IS NULL',
);

/** Whether nobody has this name; nobody else can take it until the transaction ends. */
export async function takeUsername(tx: Transaction, username: string): Promise<boolean> {
  await tx.run(claim, [username]);
  return (await tx.run(taken, [username])).length === 0;
}

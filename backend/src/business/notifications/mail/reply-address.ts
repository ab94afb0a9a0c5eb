import { timingSafeEqual } from 'node:crypto';
import { decodeBase32, encodeBase32 } from '../../../base/base32.ts';
import type { Sealer } from '../../../base/seal.ts';

const PURPOSE = 'ticket-reply-address';
const NUMBER_BYTES = 6;
const USER_BYTES = 16;
const MAC_BYTES = 10;

/** Whose answer to which ticket an address stands for. */
export interface ReplyTo {
  readonly number: bigint;
  readonly userId: string;
}

/**
 * The address at which one person answers one ticket: `support+<tag>@hosting.example`. The tag holds both and a MAC
 * over them, so that nobody can make one for a ticket or a person that they were not written to about (rule H5).
 * Letters of one case and digits, because mail servers may change case; within the 64 octets of a local part.
 */
export function replyAddress(sealer: Sealer, base: string, reply: ReplyTo): string {
  const named = Buffer.alloc(NUMBER_BYTES + USER_BYTES);
  named.writeUIntBE(Number(reply.number), 0, NUMBER_BYTES);
  named.write(reply.userId.replaceAll('-', ''), NUMBER_BYTES, 'hex');
  const tag = encodeBase32(Buffer.concat([named, mac(sealer, named)]));
  const at = base.lastIndexOf('@');
  return `${base.slice(0, at)}+${tag}${base.slice(at)}`;
}

/** What a reply address stands for; null: nobody here made it, or it was changed. */
export function openReplyAddress(sealer: Sealer, base: string, address: string): ReplyTo | null {
  const at = base.lastIndexOf('@');
  const [name, domain] = [`${base.slice(0, at)}+`.toLowerCase(), base.slice(at).toLowerCase()];
  const given = address.trim().toLowerCase();
  if (!given.startsWith(name) || !given.endsWith(domain)) return null;
  const bytes = decodeBase32(given.slice(name.length, given.length - domain.length));
  if (bytes?.length !== NUMBER_BYTES + USER_BYTES + MAC_BYTES) return null;
  const named = bytes.subarray(0, NUMBER_BYTES + USER_BYTES);
  if (!timingSafeEqual(bytes.subarray(named.length), mac(sealer, named))) return null;
  const hex = named.toString('hex', NUMBER_BYTES);
  const userId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { number: BigInt(named.readUIntBE(0, NUMBER_BYTES)), userId };
}

/** Whether an address has the form of a reply address, and nobody here made it: a guess, or one that was damaged. */
export function isForged(sealer: Sealer, base: string, address: string): boolean {
  const at = base.lastIndexOf('@');
  const given = address.trim().toLowerCase();
  const tagged = given.startsWith(`${base.slice(0, at)}+`.toLowerCase());
  return (
    tagged && given.endsWith(base.slice(at).toLowerCase()) && openReplyAddress(sealer, base, address) === null
  );
}

function mac(sealer: Sealer, named: Buffer): Buffer {
  return sealer.digest(PURPOSE, named.toString('hex')).subarray(0, MAC_BYTES);
}

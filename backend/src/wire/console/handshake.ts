import type { Octets } from './octets.ts';
import { vncResponse } from './vnc-authentication.ts';

/** The beginning of RFB 3.8 (RFC 6143, section 7.1), up to where the client says ClientInit. */

const VERSION = Buffer.from('RFB 003.008\n');
const NONE = 1;
const VNC_AUTHENTICATION = 2;
const CHALLENGE_OCTETS = 16;
const ACCEPTED = 0;

/** One side of a connection, as the other side of it sees it. */
export interface Party {
  readonly said: Octets;
  say(octets: Buffer): void;
}

/** Nothing of RFB, or something that we do not speak. */
export class NotRfb extends Error {
  override readonly name = 'NotRfb';
}

/** Introduces us to a machine, as a client who knows the password if there is one. Throws when that fails. */
export async function greetMachine({ said, say }: Party, password: string | null): Promise<void> {
  const [, major, minor] = /^RFB (\d{3})\.(\d{3})\n$/.exec(String(await said.take(VERSION.length))) ?? [];
  if (Number(major) !== 3 || Number(minor) < 8) throw new NotRfb(`RFB ${major}.${minor} is not spoken here`);
  say(VERSION);
  const [count = 0] = await said.take(1);
  if (count === 0) throw new NotRfb('the machine refuses');
  const offered = await said.take(count);
  if (password !== null && offered.includes(VNC_AUTHENTICATION)) {
    say(Buffer.from([VNC_AUTHENTICATION]));
    say(vncResponse(password, await said.take(CHALLENGE_OCTETS)));
  } else if (offered.includes(NONE)) say(Buffer.from([NONE]));
  else throw new NotRfb(`the machine wants to be spoken to by security types ${[...offered]}`);
  if ((await said.take(4)).readUInt32BE() !== ACCEPTED) throw new NotRfb('the machine does not let us in');
}

/** Introduces us to a viewer, as a server that asks for nothing: the ticket has let them in. */
export async function greetViewer({ said, say }: Party): Promise<void> {
  say(VERSION);
  if (!VERSION.equals(await said.take(VERSION.length))) throw new NotRfb('the viewer does not speak RFB 3.8');
  say(Buffer.from([1, NONE]));
  const [chosen] = await said.take(1);
  if (chosen !== NONE) throw new NotRfb('the viewer wants something else than was offered');
  const result = Buffer.alloc(4);
  result.writeUInt32BE(ACCEPTED);
  say(result);
}

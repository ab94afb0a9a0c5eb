import { z } from 'zod';
import type { Console } from '../port.ts';
import type { Machine } from './machine.ts';
import { powerOf } from './power.ts';

const Waiting = z.object({ ticket: z.string(), port: z.coerce.number(), password: z.string().optional() });
/** Of what is longer VNC authentication takes no notice (RFC 6143, section 7.2.2). */
const LONGEST_PASSWORD = 8;

/**
 * A machine's screen. PVE waits some ten seconds for who asked for it, so this is called when somebody looks (rule G5);
 * the password is for one connection, and whoever has the stream says it.
 */
export async function openConsole(machine: Machine): Promise<Console | null> {
  if (powerOf(await machine.current()) === 'stopped') return null;
  const { cluster } = machine;
  const { ticket, port, password } = await cluster.post(machine.path('/vncproxy'), Waiting, {
    ...{ websocket: 1, 'generate-password': 1 },
  });
  const stream = await cluster.stream(machine.path('/vncwebsocket'), { port, vncticket: ticket });
  return { stream, password: (password ?? ticket).slice(0, LONGEST_PASSWORD) };
}

import { dateTime } from '../../epp/wire/date-time.ts';
import { type Element, element, writer } from '../../epp/wire/element.ts';
import type { PolledMessage } from '../commands.ts';
import { type Caller, withExtensions } from './caller.ts';
import { infData, infExtensions, trnData } from './domain-written.ts';
import { type Answer, CommandRefused, refused } from './result.ts';

const domain = writer('domain');

/** RFC 5730 §2.9.2.3. */
export async function poll(caller: Caller, attributes: Element['attributes']): Promise<Answer> {
  if (attributes.op === 'req') return await nextMessage(caller);
  if (attributes.op !== 'ack') throw new CommandRefused(2001, 'poll has an unknown op');
  const { msgID } = attributes;
  if (msgID === undefined) throw new CommandRefused(2003, 'msgID is missing');
  const reply = await caller.commands.poll.acknowledge(msgID);
  if (!reply.ok) return refused(reply);
  const { count, nextId } = reply.data;
  return { code: reply.code, queue: { count, id: nextId ?? msgID, message: null } };
}

async function nextMessage(caller: Caller): Promise<Answer> {
  const reply = await caller.commands.poll.request();
  if (!reply.ok) return refused(reply);
  const { count, message } = reply.data;
  if (message === null) return { code: reply.code };
  const { id, at, text } = message;
  const answer = { code: reply.code, queue: { count, id, message: { at, text } } };
  return await withSubject(caller, answer, message);
}

/** What the message is about, as it is now: a domain that is gone was waiting for that (RFC 5731 §3.3). */
async function withSubject(
  caller: Caller,
  answer: Answer,
  { id, at, about }: PolledMessage,
): Promise<Answer> {
  if (about.kind === 'transfer') return { ...answer, data: [trnData(about.transfer)] };
  const { name, change, expireAt } = about;
  if (change === 'renewed') {
    const end = expireAt === null ? null : domain('exDate', dateTime(expireAt));
    return { ...answer, data: [domain('renData', [domain('name', name), end])] };
  }
  const info = await caller.commands.domain.info(name);
  if (info.ok)
    return withExtensions(caller, { ...answer, data: [infData(info.data)] }, infExtensions(info.data));
  const pending = domain('panData', [
    domain('name', name, { paResult: '1' }),
    domain('paTRID', element('epp', 'svTRID', `SANDBOX-${id}`)),
    domain('paDate', dateTime(at)),
  ]);
  return { ...answer, data: [pending] };
}

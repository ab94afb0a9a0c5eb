import { childOf, type Element } from '../../epp/wire/element.ts';
import { NS } from '../../epp/wire/namespace.ts';
import type { Caller, Handler } from './caller.ts';
import { CONTACT } from './contact.ts';
import { DOMAIN } from './domain.ts';
import { HOST } from './host.ts';
import { poll } from './poll.ts';
import { type Answer, CommandRefused } from './result.ts';
import { SERVICES, type Service } from './service.ts';

const OBJECTS: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  [NS.domain]: DOMAIN,
  [NS.contact]: CONTACT,
  [NS.host]: HOST,
};

const VERBS = ['check', 'create', 'delete', 'info', 'renew', 'transfer', 'update'];

/** Carries out a command of somebody who is logged in. */
export async function dispatch(caller: Caller, verb: Element, command: Element): Promise<Answer> {
  if (verb.name === 'poll') return await poll(caller, verb.attributes);
  if (!VERBS.includes(verb.name)) throw new CommandRefused(2000, `there is no command ${verb.name}`);
  const [object] = verb.children;
  if (object === undefined) throw new CommandRefused(2003, 'the object of the command is missing');
  const handlers = OBJECTS[object.namespace];
  if (handlers === undefined || !inServices(caller, object.namespace))
    throw new CommandRefused(2307, 'this object service is not part of the session');
  if (object.name !== verb.name)
    throw new CommandRefused(2001, `the command ${verb.name} has an object of another`);
  const handler = Object.hasOwn(handlers, verb.name) ? handlers[verb.name] : undefined;
  if (handler === undefined) throw new CommandRefused(2101, `these objects know no ${verb.name}`);
  const extensions = childOf(command, 'epp', 'extension')?.children ?? [];
  const foreign = extensions.find(({ namespace }) => !inServices(caller, namespace));
  if (foreign !== undefined)
    throw new CommandRefused(2103, `${foreign.namespace} is not part of the session`);
  return await handler(caller, {
    verb: verb.name,
    operation: verb.attributes.op ?? null,
    object,
    extensions,
  });
}

function inServices({ services }: Caller, namespace: string): boolean {
  return Object.entries(SERVICES).some(
    ([service, uri]) => uri === namespace && services.has(service as Service),
  );
}

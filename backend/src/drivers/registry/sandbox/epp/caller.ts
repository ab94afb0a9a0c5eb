import type { Element } from '../../epp/wire/element.ts';
import type { RegistrarCommands } from '../commands.ts';
import type { Answer, Detail } from './result.ts';
import { SERVICES, type Service } from './service.ts';

/** A registrar who is logged in. */
export interface Caller {
  readonly commands: RegistrarCommands;
  /** What they logged in for; they get nothing else. */
  readonly services: ReadonlySet<Service>;
  /** The registry's; who names none in a fee means it. */
  readonly currency: string;
}

/** A command as it came: the object's element, the operation of a transfer, the extensions. */
export interface Asked {
  readonly verb: string;
  readonly operation: string | null;
  readonly object: Element;
  readonly extensions: readonly Element[];
}

export type Handler = (caller: Caller, asked: Asked) => Promise<Answer>;

/**
 * Extensions of an answer that the caller logged in for. What they did not log in for is kept from them, or, where they
 * say that they take it so, told as values of the result (RFC 9038 §3).
 */
export function withExtensions(
  { services }: Caller,
  answer: Answer,
  extensions: readonly (readonly [Service, Element])[],
): Answer {
  const unhandled = services.has('unhandled') ? extensions.filter(([name]) => !services.has(name)) : [];
  const details: readonly Detail[] = unhandled.map(([name, value]) => ({
    value,
    reason: `${SERVICES[name]} not in login services`,
  }));
  return {
    ...answer,
    extensions: extensions.filter(([name]) => services.has(name)).map(([, value]) => value),
    ...(details.length === 0 ? {} : { details }),
  };
}

import { childOf, type Element, textsOf } from '../../epp/wire/element.ts';
import { extensionIn, requiredText } from './read.ts';
import { CommandRefused } from './result.ts';
import { SERVICES, type Service } from './service.ts';

/** Who wants in, and what for (RFC 5730 §2.9.1.1). */
export interface LoginRequest {
  readonly registrar: string;
  readonly password: string;
  readonly services: ReadonlySet<Service>;
}

/** RFC 8807 §4.1: a password that is too long for the field in the login itself. */
const ELSEWHERE = '[LOGIN-SECURITY]';

export function readLogin(login: Element, extensions: readonly Element[]): LoginRequest {
  const options = childOf(login, 'epp', 'options');
  if (requiredText(options, 'epp', 'version') !== '1.0')
    throw new CommandRefused(2100, 'EPP here is version 1.0');
  if (requiredText(options, 'epp', 'lang') !== 'en') throw new CommandRefused(2102, 'texts here are English');
  if (childOf(login, 'epp', 'newPW') !== null)
    throw new CommandRefused(2102, 'passwords are not changed over EPP here');
  const password = requiredText(login, 'epp', 'pw');
  return {
    registrar: requiredText(login, 'epp', 'clID'),
    password:
      password === ELSEWHERE ? requiredText(extensionIn(extensions, 'loginSec'), 'loginSec', 'pw') : password,
    services: readServices(childOf(login, 'epp', 'svcs')),
  };
}

function readServices(services: Element | null): ReadonlySet<Service> {
  const asked = [
    ...textsOf(services, 'epp', 'objURI'),
    ...textsOf(childOf(services, 'epp', 'svcExtension'), 'epp', 'extURI'),
  ];
  const known = new Map(
    Object.entries(SERVICES).map(([service, uri]) => [uri as string, service as Service]),
  );
  return new Set(
    asked.map((uri) => {
      const service = known.get(uri);
      if (service === undefined || service === 'launch')
        throw new CommandRefused(2307, `${uri} is not offered`);
      return service;
    }),
  );
}

import type { EppCommand } from './command.ts';
import { element, writer } from './wire/element.ts';
import { type Greeting, offeredBy } from './wire/greeting.ts';
import { NS, type Vocabulary } from './wire/namespace.ts';

export interface Credentials {
  readonly clientId: string;
  readonly password: string;
  readonly vocabularies: ReadonlySet<Vocabulary>;
  readonly ownExtensions: ReadonlySet<string>;
}

const epp = writer('epp');
const loginSec = writer('loginSec');

/** RFC 5730's limit; longer ones go with RFC 8807. */
const LONGEST_PASSWORD = 16;

/** Asks for what the server offers and we speak, and for nothing else. Throws where that is not enough. */
export function loginCommand(
  greeting: Greeting,
  { clientId, password, vocabularies, ownExtensions }: Credentials,
): EppCommand {
  const offered = offeredBy(greeting);
  if (!offered.has('domain')) throw new Error('the server offers no domains (RFC 5731)');
  if (!greeting.versions.includes('1.0')) throw new Error('the server does not speak EPP 1.0');
  const spoken = offered.intersection(vocabularies);
  const secured = spoken.has('loginSec');
  if (password.length > LONGEST_PASSWORD && !secured)
    throw new Error('the password has more than 16 characters, and the server offers no RFC 8807');
  const inHeader = password.length > LONGEST_PASSWORD ? '[LOGIN-SECURITY]' : password;
  const spokenUris = new Set([...spoken].map((vocabulary) => NS[vocabulary] as string));
  const extensions = greeting.extensions.filter((uri) => spokenUris.has(uri) || ownExtensions.has(uri));
  return {
    name: 'login',
    verb: 'login',
    content: [
      epp('clID', clientId),
      epp('pw', inHeader),
      epp('options', [
        epp('version', '1.0'),
        epp('lang', greeting.languages.includes('en') ? 'en' : (greeting.languages[0] ?? 'en')),
      ]),
      epp('svcs', [
        ...greeting.objects.filter((uri) => spokenUris.has(uri)).map((uri) => epp('objURI', uri)),
        extensions.length === 0
          ? null
          : epp(
              'svcExtension',
              extensions.map((uri) => epp('extURI', uri)),
            ),
      ]),
    ],
    extensions: secured
      ? [
          loginSec('loginSec', [
            loginSec('userAgent', loginSec('app', 'Hostkeep')),
            inHeader === password ? null : element('loginSec', 'pw', password),
          ]),
        ]
      : [],
  };
}

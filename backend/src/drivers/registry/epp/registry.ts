import type { Clock } from '../../../base/clock.ts';
import type { DomainRef, RegistryRefusal } from '../port.ts';
import type { EppCommand } from './command.ts';
import type { EppLine } from './line.ts';
import type { Extension, Profile } from './profile.ts';
import { Refused, succeeded } from './refusal.ts';
import type { EppResponse } from './wire/response.ts';

/** One registry as the driver's commands see it. */
export interface EppRegistry {
  readonly line: EppLine;
  /** Us, as the registry names its registrars. */
  readonly clientId: string;
  /** The currency that fees are asked for in: the catalogue's. */
  readonly currency: () => string;
  readonly profileOf: (tld: string) => Profile;
  readonly clock: Clock;
}

/** Which extensions a command for this TLD may use: those that the server offers and the profile wants. */
export type Uses = (extension: Extension) => boolean;

/** The answer to a command about domains of this TLD, whatever its code. */
export function ask(
  { line, profileOf }: EppRegistry,
  { tld }: Pick<DomainRef, 'tld'>,
  commandFor: (uses: Uses) => EppCommand,
  signal?: AbortSignal,
): Promise<EppResponse> {
  const { extensions } = profileOf(tld);
  return line.send(
    (offered) => commandFor((extension) => extensions.has(extension) && offered.has(extension)),
    signal,
  );
}

/** The same, where the command must succeed. Throws Refused. */
export async function command(
  registry: EppRegistry,
  ref: Pick<DomainRef, 'tld'>,
  commandFor: (uses: Uses) => EppCommand,
  hint?: RegistryRefusal,
  signal?: AbortSignal,
): Promise<EppResponse> {
  return succeeded(await ask(registry, ref, commandFor, signal), hint);
}

/** What a command needs and the registry does not offer cannot be left out of it. */
export function needed(uses: Uses, extension: Extension): void {
  if (!uses(extension)) throw new Refused('not_supported', `the registry does not offer ${extension}`);
}

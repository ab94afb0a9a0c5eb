import type { EppCommand } from './command.ts';
import type { Element } from './wire/element.ts';
import type { EppResponse } from './wire/response.ts';

/** Passwords and authcodes: in every vocabulary of EPP they are the texts of these. */
const SECRET = ['pw', 'newPW'];

export function secretsOf({ content, extensions }: EppCommand): readonly string[] {
  return [...content, ...extensions].flatMap(secretsIn);
}

/** A registry's words are logged, and some repeat in them what they were told. */
export function concealed(response: EppResponse, secrets: readonly string[]): EppResponse {
  const conceal = (text: string) => secrets.reduce((told, secret) => told.replaceAll(secret, '***'), text);
  return {
    ...response,
    message: conceal(response.message),
    details: response.details.map(({ value, reason }) => ({ value, reason: conceal(reason) })),
  };
}

function secretsIn({ name, text, children }: Element): readonly string[] {
  if (SECRET.includes(name)) return text === '' ? [] : [text];
  return children.flatMap(secretsIn);
}

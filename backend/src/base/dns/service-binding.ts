import { fail } from './fault.ts';
import { domainName, type Field, type Words } from './field.ts';
import type { NameReader } from './name.ts';
import {
  ALPN,
  keyName,
  MANDATORY,
  mandatoryKeys,
  NO_DEFAULT_ALPN,
  readParameter,
  type ServiceParameter,
  writeParameter,
} from './service-parameter.ts';

/** Target and parameters of SVCB and HTTPS records (RFC 9460 §2); parameters in the order of their numbers. */
export const SERVICE_BINDING: Field = (words: Words, names: NameReader) => {
  const target = domainName('target')(words, names);
  const parameters = words
    .rest()
    .map(({ raw, quoted }) =>
      quoted ? fail('invalid_format', 'A parameter begins with a quotation mark.') : readParameter(raw),
    )
    .sort((a, b) => a.key - b.key);
  requireConsistent(parameters);
  return {
    text: [target.text, ...parameters.map(writeParameter)].join(' '),
    octets: parameters.reduce((sum, { value }) => sum + 4 + value.length, target.octets),
  };
};

function requireConsistent(parameters: readonly ServiceParameter[]): void {
  const keys = new Set(parameters.map(({ key }) => key));
  const twice = parameters.find(({ key }, at) => key === parameters[at + 1]?.key);
  if (twice !== undefined) fail('not_allowed', `The parameter ${keyName(twice.key)} is there twice.`);
  if (keys.has(NO_DEFAULT_ALPN) && !keys.has(ALPN))
    fail('required', 'no-default-alpn needs an alpn beside it.');
  const mandatory = parameters.find(({ key }) => key === MANDATORY);
  const missing =
    mandatory === undefined ? undefined : mandatoryKeys(mandatory.value).find((key) => !keys.has(key));
  if (missing !== undefined) fail('required', `${keyName(missing)} is mandatory here, and missing.`);
}

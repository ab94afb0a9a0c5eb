import type { DelegationSigner } from '../port.ts';
import { childOf, childrenOf, type Element, textOf, writer } from './wire/element.ts';
import { type EppResponse, extensionOf } from './wire/response.ts';

const secDNS = writer('secDNS');

/** RFC 5910 §4.1, the DS data interface. */
function dsData({ keyTag, algorithm, digestType, digest }: DelegationSigner): Element {
  return secDNS('dsData', [
    secDNS('keyTag', String(keyTag)),
    secDNS('alg', String(algorithm)),
    secDNS('digestType', String(digestType)),
    secDNS('digest', digest),
  ]);
}

export function createDs(ds: readonly DelegationSigner[]): Element | null {
  return ds.length === 0 ? null : secDNS('create', ds.map(dsData));
}

/** What leads from one set to the other; null where they are the same. */
export function updateDs(from: readonly DelegationSigner[], to: readonly DelegationSigner[]): Element | null {
  const missing = without(to, from);
  const needless = without(from, to);
  if (missing.length + needless.length === 0) return null;
  return secDNS('update', [
    needless.length === 0 ? null : secDNS('rem', needless.map(dsData)),
    missing.length === 0 ? null : secDNS('add', missing.map(dsData)),
  ]);
}

export function readDs(response: EppResponse): readonly DelegationSigner[] {
  return childrenOf(extensionOf(response, 'secDNS', 'infData'), 'secDNS', 'dsData').map(readDsData);
}

export function readDsData(data: Element): DelegationSigner {
  const number = (name: string) => Number(textOf(data, 'secDNS', name) ?? Number.NaN);
  return {
    keyTag: number('keyTag'),
    algorithm: number('alg'),
    digestType: number('digestType'),
    digest: (childOf(data, 'secDNS', 'digest')?.text ?? '').replace(/\s/g, '').toUpperCase(),
  };
}

function without(
  some: readonly DelegationSigner[],
  others: readonly DelegationSigner[],
): readonly DelegationSigner[] {
  const known = new Set(others.map(keyOf));
  return some.filter((one) => !known.has(keyOf(one)));
}

function keyOf({ keyTag, algorithm, digestType, digest }: DelegationSigner): string {
  return `${keyTag} ${algorithm} ${digestType} ${digest.toUpperCase()}`;
}

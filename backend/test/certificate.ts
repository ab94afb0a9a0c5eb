import { type KeyedCertificate, newCertificate } from '../src/base/certificate.ts';

const ALWAYS = {
  from: Temporal.Instant.from('2020-01-01T00:00:00Z'),
  until: Temporal.Instant.from('2100-01-01T00:00:00Z'),
};

/** A key and a certificate for these names that vouches for itself: who is to trust it takes it as an authority. */
export function selfSigned(...names: readonly string[]): KeyedCertificate {
  return newCertificate({ commonName: 'test', names, validity: ALWAYS, authority: null });
}

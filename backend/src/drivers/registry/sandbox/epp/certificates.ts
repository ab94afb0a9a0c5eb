import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newAuthority, newCertificate, type Validity } from '../../../../base/certificate.ts';
import type { Instant } from '../../../../base/time.ts';

const VALID_HOURS = 24 * 365;

/**
 * Writes what an EPP server on this machine and its clients need into a directory: an authority of its own, and
 * certificates for the server and for each registrar, valid for a year. Gives the names of the files.
 */
export function writeCertificates(
  directory: string,
  registrars: readonly string[],
  now: Instant,
): readonly string[] {
  const validity: Validity = { from: now.subtract({ hours: 1 }), until: now.add({ hours: VALID_HOURS }) };
  const authority = newAuthority('Hostkeep sandbox registry', validity);
  const files: Record<string, string> = { 'ca.pem': authority.cert };
  for (const commonName of ['server', ...registrars]) {
    const names = commonName === 'server' ? ['localhost', '127.0.0.1'] : [];
    const { cert, key } = newCertificate({ commonName, names, validity, authority });
    files[`${commonName}.pem`] = cert;
    files[`${commonName}.key`] = key;
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // Not over what is there: clients trust the authority that they were given. The authority's own key is not kept.
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(directory, name), text, { mode: 0o600, flag: 'wx' });
  return Object.keys(files);
}

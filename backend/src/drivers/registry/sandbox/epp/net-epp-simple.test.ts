// Needs: epp

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestDatabase } from '../../../../../test/database.ts';
import { clients, openEpp, trusted } from '../../../../../test/epp.ts';
import { assertValidEpp } from '../../../../../test/xmllint.ts';
import { SetClock } from '../../../../base/clock.ts';
import { APPLICATION_ROLE } from '../../../../db/migrate.ts';
import { Pool } from '../../../../db/pool.ts';
import { Repository } from '../repository.ts';

const SCRIPT = fileURLToPath(new URL('../../../../../test/net-epp-simple.pl', import.meta.url));
const START = Temporal.Instant.from('2027-01-15T12:00:00Z');

test('an independent client logs in, checks, creates, renews, transfers and polls', async (t) => {
  const database = await createTestDatabase();
  const db = new Pool({ url: database.url, size: 4, name: 'sandbox', role: APPLICATION_ROLE });
  const clock = new SetClock(START);
  await registerLongAgo(new Repository({ db, clock }), 'perl-old.com');
  clock.set(START.add({ hours: 24 * 61 }));
  const epp = await openEpp(db, clock);
  t.after(async () => {
    await epp.close();
    await db.end();
    await database.drop();
  });

  const lines = await runPerl(epp.proxy.port);

  assert.deepEqual(lines, [
    'check 1000',
    'free 1',
    'contact 1000',
    'host 1000',
    'create 1000',
    'check 1000',
    'free 0',
    'info 1000',
    'hostkeep PERL-1 ns1.example.net 2028-03-17T12:00:00Z',
    'renew 1000',
    'info 1000',
    '2030-03-17T12:00:00Z',
    'again refused 2004',
    'authcode 1000',
    'transfer 1001',
    'pending rival hostkeep',
    'approve 1000',
    'info 1000',
    'rival',
    'poll 1301 pending',
    'ack 1000',
    'poll 1300',
    'bye',
  ]);
  // The client's own frames are its affair.
  await assertValidEpp(epp.proxy.answers);
});

async function registerLongAgo(repository: Repository, name: string): Promise<void> {
  const { contact, domain } = repository.commandsOf('hostkeep');
  const address = { street: ['Musterweg 1'], city: 'Frankfurt', region: null, zip: '60311', country: 'DE' };
  const reach = { phone: '+49.691234567', fax: null, email: 'erika@example.org', disclosed: false };
  await contact.create('PERL-0', {
    name: 'Erika Muster',
    organisation: null,
    ...address,
    ...reach,
    extra: {},
  });
  const parts = { contacts: [], hosts: [], ds: [], fee: null };
  const created = await domain.create({
    name,
    years: 1,
    registrant: 'PERL-0',
    ...parts,
    authcode: 'Code-1-of-many',
  });
  assert.ok(created.ok);
}

async function runPerl(port: number): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hostkeep-epp-'));
  try {
    const texts = {
      ca: trusted,
      ...Object.fromEntries(
        Object.entries(clients).flatMap(([name, { cert, key }]) => [
          [`${name}-cert`, cert],
          [`${name}-key`, key],
        ]),
      ),
    };
    for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
    const { ca: _, ...own } = texts;
    const files = Object.keys(own).flatMap((name) => [name, join(folder, name)]);
    const { stdout } = await promisify(execFile)(
      'perl',
      [SCRIPT, String(port), join(folder, 'ca'), ...files],
      {
        timeout: 60_000,
      },
    ).catch((error: Error & { stderr?: string; code?: unknown }) => {
      if (error.code === 'ENOENT' || /Can't locate Net\/EPP/.test(error.stderr ?? ''))
        assert.fail('perl or libnet-epp-perl is missing: run scripts/install.sh tests');
      throw error;
    });
    return stdout.trim().split('\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { after, test } from 'node:test';
import { startDebianPostgres, startDebianStandby } from '../../test/debian-postgres.ts';
import { until } from '../../test/until.ts';
import { durabilityProblems } from './durability.ts';

const SAFE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', synchronous_standby_names: '' };

const server = await startDebianPostgres();
await server.set(SAFE);
after(() => server.stop());

/** Waits until the settings are in force. */
async function found(settings: Partial<typeof SAFE>, expected: readonly RegExp[]): Promise<void> {
  await server.set({ ...SAFE, ...settings });
  let seen: string[] = [];
  await until(
    async () => {
      seen = (await durabilityProblems(server.url)).map(({ what }) => what);
      return seen.length === expected.length && expected.every((one, at) => one.test(seen[at] ?? ''))
        ? true
        : null;
    },
    () => JSON.stringify(seen),
    20,
  );
}

test('what the server may lose is found by its settings', async () => {
  await found({}, []);
  await found({ synchronous_standby_names: 'absent' }, [/wait for a standby of absent, and none is there/]);
  await found({ full_page_writes: 'off', synchronous_commit: 'off' }, [
    /^full_page_writes is off/,
    /^synchronous_commit is off/,
  ]);
});

test('a standby that no commit waits for is found, and one that confirms is well', async () => {
  await found({ fsync: 'off' }, [/^fsync is off/]);
  await found({ synchronous_commit: 'local', synchronous_standby_names: 'second' }, [
    /^synchronous_commit is local/,
    /wait for a standby of second, and none is there/,
  ]);
  await server.set(SAFE);
  const standby = await startDebianStandby(server, 'second');
  try {
    await found({}, [/^no commit waits for any of 1 standbys/]);
    await found({ synchronous_commit: 'local' }, [/^synchronous_commit is local/, /^no commit waits/]);
    await found({ synchronous_standby_names: 'second' }, []);
  } finally {
    await server.set(SAFE);
    await standby.stop();
  }
});

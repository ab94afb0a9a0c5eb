import { after, test } from 'node:test';
import { startDebianPostgres } from '../../test/debian-postgres.ts';
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

// Slow: 5 s

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { openRequests } from '../../../test/requests.ts';
import { openServers, SERVER_ORDER } from '../../../test/servers.ts';

const site = await openServers(({ hosts }) => {
  for (const { nodes } of hosts)
    for (const node of nodes) node.capacity = { cores: 4_000, memory: 16_000_000, disk: 1_000_000 };
});
const { call } = openRequests(site, { ports: { ...site.ports, registry: {} } as never });
const who = await site.customer(100_000_000n);

const LIMIT = 64 * 1024;
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHUZLhDjsZCMfJ8VRtHnpQbUGYMKhdbfxWcEHkEWRsDW';

const HOSTILE = [
  '$(reboot)',
  '`id`',
  '"; rm -rf /; "',
  "'\n- ssh_authorized_keys:",
  '\0',
  '\r\n',
  '../..',
  '%s%n',
  '\ud800',
  '\u202e',
  '{{ x }}',
];

/** What shells, YAML, templates and C take apart, in any text. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .tuple(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(...HOSTILE),
      fc.string({ maxLength: 20 }),
    )
    .map((parts) => parts.join('')),
);
const userData = fc.oneof(
  hostile,
  fc
    .tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: LIMIT + 8 }))
    .map(([unit, length]) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)),
);
const label = fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9-]{0,20}[A-Za-z0-9])?$/);
const hostname = fc.oneof(
  fc.array(label, { minLength: 2, maxLength: 5 }).map((labels) => labels.join('.')),
  fc.tuple(label, hostile, label).map((parts) => parts.join('.')),
  hostile,
);
const sshKey = fc.oneof(
  fc.constant(KEY),
  hostile.map((comment) => `${KEY} ${comment}`),
  hostile.map((options) => `command="${options}" ${KEY}`),
  fc.base64String({ minLength: 60, maxLength: 100 }).map((blob) => `ssh-ed25519 ${blob}`),
  hostile,
);

interface Ordered {
  readonly hostname: string;
  readonly user_data: string;
  readonly ssh_keys: readonly string[];
}

/** Whether a refusal names something that was given, and only that. */
function isNamed(pointer: string, { ssh_keys }: Ordered): boolean {
  if (pointer === '/hostname' || pointer === '/user_data' || pointer === '/ssh_keys') return true;
  const index = /^\/ssh_keys\/(\d+)$/.exec(pointer)?.[1];
  return index !== undefined && Number(index) < ssh_keys.length;
}

let taken = 0;
let refused = 0;

test('user data, host names and keys of anything are refused by name, or are exactly what the machine gets', async () => {
  const orders = fc.record<Ordered>({
    hostname: fc.oneof({ arbitrary: fc.constant('web.example.com'), weight: 2 }, hostname),
    user_data: userData,
    ssh_keys: fc.array(sshKey, { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(orders, async (ordered) => {
      const received = await call('server/order', { ...SERVER_ORDER, ...ordered }, { token: who.secret });
      if (received.status !== 202) {
        assert.deepEqual([received.status, received.body.error], [422, 'validation_failed'], received.text);
        const pointers = received.body.errors.map(({ pointer }: { pointer: string }) => pointer);
        assert.ok(pointers.length > 0);
        assert.deepEqual(
          pointers.filter((pointer: string) => !isNamed(pointer, ordered)),
          [],
        );
        refused += 1;
        return;
      }
      taken += 1;
      await site.work();
      const { rows } = await site.sandbox.pg.query(
        'SELECT hostname, ssh_keys, user_data_digest FROM sandbox.machines WHERE server_id = $1',
        [received.body.data.server_uuid],
      );
      assert.deepEqual(rows, [
        {
          hostname: ordered.hostname,
          ssh_keys: [...new Set(ordered.ssh_keys)],
          user_data_digest: createHash('sha256').update(ordered.user_data).digest(),
        },
      ]);
      assert.ok(ordered.user_data.isWellFormed(), 'a text that UTF-8 cannot hold was taken');
    }),
    { numRuns: 120 },
  );
  assert.ok(taken >= 3 && refused >= 3, `${taken} were taken, ${refused} refused`);
});

test('64 KiB of user data fit to the byte', async () => {
  const at = async (user_data: string) =>
    (await call('server/order', { ...SERVER_ORDER, user_data }, { token: who.secret })).status;
  assert.equal(await at('ä'.repeat(LIMIT / 2)), 202);
  assert.equal(await at(`${'ä'.repeat(LIMIT / 2)}x`), 422);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { dumpDatabase, formsOf } from '../../../../test/dump.ts';
import { openRequests } from '../../../../test/requests.ts';
import { openServers, SERVER_ORDER } from '../../../../test/servers.ts';
import { planFault, type SandboxCommand } from '../../../drivers/hypervisor/sandbox/fault.ts';
import { jobs } from '../../../jobs.generated.ts';

const site = await openServers();
const logged: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
const { call } = openRequests(site, { ports: { ...site.ports, registry: {} } as never, log });
const who = await site.customer(100_000n);

/** Every job in the queue, with a log that keeps everything; one that fails is done again. */
async function work() {
  const context = { catalogs: site.catalogs, sealer: site.sealer, signer: site.signer, log };
  for (let round = 0; round < 3; round += 1) {
    const { rows } = await site.queue.query<{ name: string; payload: unknown }>(
      `SELECT t.identifier AS name, j.payload FROM graphile_worker._private_jobs j
       JOIN graphile_worker._private_tasks t ON t.id = j.task_id`,
    );
    for (const { name, payload } of rows) {
      const job = jobs.find((one) => one.name === name);
      assert.ok(job !== undefined, name);
      await site.run(job, payload, { context }).catch(() => {});
    }
  }
}

async function isNowhere(secrets: readonly string[], when: string) {
  const dump = `${await dumpDatabase(site.queue)}\n${logged.join('')}`;
  for (const secret of secrets) {
    for (const form of formsOf(secret)) {
      const at = dump.indexOf(form);
      assert.equal(at, -1, `${when}: …${dump.slice(Math.max(0, at - 200), at)}`);
    }
  }
}

let keys = 0;
async function asked(path: string, input: object) {
  keys += 1;
  const received = await call(path, input, { token: who.secret, key: `key-${keys}` });
  assert.ok([200, 202].includes(received.status), received.text);
  return received.body.data;
}

const secrets: string[] = [];

/** Does something with secrets, whose outcome is first unknown, and looks for them before, between and afterwards. */
async function withSecrets(
  what: string,
  command: SandboxCommand,
  own: string[],
  ask: () => Promise<string | null>,
) {
  await planFault(site.sandbox, { command, fault: 'timeout_after' });
  const made = await ask();
  secrets.push(...own, ...(made === null ? [] : [made]));
  await isNowhere(secrets, `${what}, ordered`);
  await work();
  await isNowhere(secrets, `${what}, done`);
}

test('the look-out finds what is not sealed', async () => {
  await assert.rejects(isNowhere([who.accountId], 'an account'));
  log.info({ text: 'k7fWqPzXbN3mRtYcVhGs' }, 'as if');
  await assert.rejects(isNowhere(['k7fWqPzXbN3mRtYcVhGs'], 'a log'));
  logged.length = 0;
});

test('no password, and no user data, is to be found in the database or the logs', async () => {
  let uuid = '';
  const userData = '#cloud-config\n# 9f4c: the key "of" the vault\n';
  await withSecrets('order', 'ensure_machine', [userData], async () => {
    const data = await asked('server/order', { ...SERVER_ORDER, user_data: userData });
    uuid = data.server_uuid;
    return data.config.password;
  });
  await withSecrets('password', 'ensure_password', [], async () => {
    return (await asked('server/password', { uuid })).password;
  });
  const chosen = 'Korrekt "Pferd" Batterie';
  await withSecrets('own password', 'ensure_password', [chosen], async () => {
    return (await asked('server/password', { uuid, password: chosen })).password;
  });
  const again = '#!/bin/sh\necho geheim-7731\n';
  await withSecrets('reinstall', 'ensure_machine', [again], async () => {
    const input = { uuid, os: 'debian-13', confirm: SERVER_ORDER.hostname, user_data: again };
    return (await asked('server/reinstall', input)).password;
  });
  // An outcome that is not known, and a refusal, say nothing either.
  await withSecrets('refused', 'ensure_machine', ['Anderes-Passwort-8842'], async () => {
    await planFault(site.sandbox, { command: 'ensure_machine', fault: 'refuse' });
    const input = {
      uuid,
      os: 'debian-13',
      confirm: SERVER_ORDER.hostname,
      password: 'Anderes-Passwort-8842',
    };
    return (await asked('server/reinstall', input)).password;
  });
  const { rows } = await site.pool.pg.query('SELECT FROM server_changes');
  assert.equal(rows.length, 0, 'what was done keeps no secret');
  assert.ok(
    logged.some((line) => line.includes('a job will be tried again')),
    'the logs were kept',
  );
});

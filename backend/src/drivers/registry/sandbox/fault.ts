import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { BackendUnavailable } from '../../outcome.ts';
import type { RegistrarCommands } from './commands.ts';
import { failure, type Reply } from './reply.ts';

export type RegistryCommand =
  | 'info'
  | 'create'
  | 'renew'
  | 'query_transfer'
  | 'request_transfer'
  | 'cancel_transfer'
  | 'approve_transfer'
  | 'reject_transfer'
  | 'update'
  | 'delete'
  | 'restore'
  | 'report'
  | 'poll'
  | 'acknowledge';

/**
 * timeout_before, timeout_after: no answer comes, before or after the effect. refuse: the answer is no. repeat: the
 * command arrives twice.
 */
export type RegistryFault = 'timeout_before' | 'timeout_after' | 'refuse' | 'repeat';

/** What is to go wrong, how often, whose and with which domain; without them, anybody's and any. */
export interface RegistryFaultPlan {
  readonly command: RegistryCommand;
  readonly fault: RegistryFault;
  readonly times?: number;
  readonly registrar?: string;
  readonly domain?: string;
}

const plan = statement<object>(
  'sandbox_registry_plan_fault',
  `INSERT INTO sandbox.registry_faults (command, fault, remaining, registrar, domain)
   VALUES ($1, $2, $3, $4, $5)`,
);
const take = statement<{ fault: RegistryFault }>(
  'sandbox_registry_take_fault',
  `UPDATE sandbox.registry_faults SET remaining = remaining - 1
   WHERE id = (SELECT id FROM sandbox.registry_faults
               WHERE command = $1 AND remaining > 0
                 AND (registrar IS NULL OR registrar = $2) AND (domain IS NULL OR domain = $3)
               ORDER BY id LIMIT 1 FOR UPDATE)
   RETURNING fault`,
);

/** Makes the next calls go wrong, in whatever process they are made. */
export async function planRegistryFault(db: Executor, fault: RegistryFaultPlan): Promise<void> {
  const { command, times, registrar, domain } = fault;
  await db.run(plan, [command, fault.fault, times ?? 1, registrar ?? null, domain ?? null]);
}

/** The commands of a registrar as one that has bad luck sees them. BackendUnavailable: no answer comes. */
export function withFaults(db: Executor, commands: RegistrarCommands): RegistrarCommands {
  const { registrar, domain, poll } = commands;
  const call = <Data>(command: RegistryCommand, name: string | null, run: () => Promise<Reply<Data>>) =>
    faulty(db, { command, registrar, domain: name }, run);
  return {
    ...commands,
    domain: {
      check: domain.check,
      info: (name, authcode) => call('info', name, () => domain.info(name, authcode)),
      create: (wanted) => call('create', wanted.name, () => domain.create(wanted)),
      renew: (renewal) => call('renew', renewal.name, () => domain.renew(renewal)),
      queryTransfer: (name, authcode) =>
        call('query_transfer', name, () => domain.queryTransfer(name, authcode)),
      requestTransfer: (request) =>
        call('request_transfer', request.name, () => domain.requestTransfer(request)),
      approveTransfer: (name) => call('approve_transfer', name, () => domain.approveTransfer(name)),
      rejectTransfer: (name) => call('reject_transfer', name, () => domain.rejectTransfer(name)),
      cancelTransfer: (name) => call('cancel_transfer', name, () => domain.cancelTransfer(name)),
      update: (change) => call('update', change.name, () => domain.update(change)),
      delete: (name) => call('delete', name, () => domain.delete(name)),
      requestRestore: (name, fee) => call('restore', name, () => domain.requestRestore(name, fee)),
      reportRestore: (report) => call('report', report.name, () => domain.reportRestore(report)),
    },
    poll: {
      request: () => call('poll', null, () => poll.request()),
      acknowledge: (id) => call('acknowledge', null, () => poll.acknowledge(id)),
    },
  };
}

interface Call {
  readonly command: RegistryCommand;
  readonly registrar: string;
  readonly domain: string | null;
}

async function faulty<Data>(
  db: Executor,
  { command, registrar, domain }: Call,
  run: () => Promise<Reply<Data>>,
): Promise<Reply<Data>> {
  const [planned] = await db.run(take, [command, registrar, domain]);
  switch (planned?.fault) {
    case 'timeout_before':
      throw new BackendUnavailable('sandbox', new Error(`${command} was lost`));
    case 'timeout_after':
      await run();
      throw new BackendUnavailable('sandbox', new Error(`the answer to ${command} was lost`));
    case 'refuse':
      return failure(2308, 'registrar', 'the sandbox was told to refuse');
    case 'repeat':
      await run();
  }
  return await run();
}

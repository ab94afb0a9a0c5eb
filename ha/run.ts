/**
 * The proof that nothing acknowledged is lost: `npm run test:ha -- --rounds 20 --orders 2000`. It builds a cluster of
 * real parts in network namespaces (root on Debian; `scripts/install.sh ha` installs them), breaks one of them in each
 * round while customers order, and holds what they were told against the books. The guide is
 * docs/guides/high-availability.md.
 */
import { parseArgs } from 'node:util';
import { FAULT_NAMES, FAULTS, type FaultName } from './faults.ts';
import { missingParts } from './parts.ts';
import { Proof, type Round } from './proof.ts';
import { Random } from './random.ts';

const FLAGS = {
  rounds: { type: 'string', default: String(FAULT_NAMES.length) },
  orders: { type: 'string', default: '500' },
  seed: { type: 'string', default: '1' },
  only: { type: 'string', default: FAULT_NAMES.join(',') },
  databases: { type: 'string', default: '3' },
  'finds-primary': { type: 'string', default: 'by-proxy' },
  customers: { type: 'string', default: '8' },
  clients: { type: 'string', default: '24' },
  rate: { type: 'string', default: '150' },
  'server-every': { type: 'string', default: '100' },
  outage: { type: 'string', default: '60' },
} as const;

const { values } = parseArgs({ options: FLAGS });
process.exitCode = await main();

async function main(): Promise<number> {
  const missing = await missingParts();
  if (missing !== null) {
    console.error(missing);
    return 2;
  }
  const faults = planned();
  const number = (name: keyof typeof FLAGS) => Number(values[name]);
  const print = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);
  const proof = await Proof.prepare({
    seed: number('seed'),
    databases: number('databases'),
    voters: 3,
    findsPrimary: values['finds-primary'] === 'by-hosts' ? 'by-hosts' : 'by-proxy',
    customers: number('customers'),
    clients: number('clients'),
    perSecond: number('rate'),
    serverEvery: number('server-every'),
    outageMs: number('outage') * 1000,
    print,
  });
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      interrupted = true;
      void proof.stop(false).finally(() => process.exit(130));
    });
  }
  const rounds: Round[] = [];
  let failure: unknown = null;
  try {
    print(`seed ${values.seed}: ${faults.length} rounds of at least ${values.orders} orders`);
    await proof.start();
    print('the cluster is up');
    for (const fault of faults) rounds.push(await proof.round(fault, number('orders')));
  } catch (error) {
    failure = error;
  }
  if (interrupted) return 130;
  const faultless = failure === null && summary(rounds, print);
  if (failure !== null)
    print(`the proof broke off: ${failure instanceof Error ? failure.stack : String(failure)}`);
  const kept = await proof.stop(!faultless);
  if (kept !== null) print(`logs: ${kept}`);
  return faultless ? 0 : 1;
}

/** Each fault once, in an order that the seed decides, and again until there are enough. */
function planned(): FaultName[] {
  const chosen = values.only.split(',').map((name) => {
    const known = FAULT_NAMES.find((fault) => fault === name.trim());
    if (known === undefined)
      throw new Error(`there is no fault ${name}; there are ${FAULT_NAMES.join(', ')}`);
    return known;
  });
  const random = new Random(Number(values.seed));
  const plan: FaultName[] = [];
  while (plan.length < Number(values.rounds)) plan.push(...random.shuffled(chosen));
  return plan.slice(0, Number(values.rounds));
}

function summary(rounds: readonly Round[], print: (line: string) => void): boolean {
  const sum = (count: (round: Round) => number) => rounds.reduce((total, round) => total + count(round), 0);
  const failOvers = rounds.filter(({ failedOver }) => failedOver).length;
  const slow = rounds.filter(
    ({ fault, silenceSeconds }) => silenceSeconds > (FAULTS[fault].limitSeconds ?? Infinity),
  );
  const [lost, doubled, undecided] = [sum((r) => r.lost), sum((r) => r.doubled), sum((r) => r.undecided)];
  const problems = sum((round) => round.problems.length);
  print('');
  for (const { fault, silenceSeconds } of slow) {
    print(
      `SLOW ${fault}: ${silenceSeconds.toFixed(1)} s without a success, limit ${FAULTS[fault].limitSeconds} s`,
    );
  }
  print(
    `${rounds.length} rounds, ${failOvers} fail-overs, ${sum((round) => round.acknowledged)} orders acknowledged`,
  );
  print(
    `${lost} lost, ${doubled} doubled, ${undecided} undecided, ${problems} problems, ${slow.length} too slow`,
  );
  return lost + doubled + undecided + problems + slow.length === 0;
}

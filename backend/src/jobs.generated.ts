// Made by `npm run generate` from the tree. Do not edit.
import m0 from './business/ledger/jobs/sign-heads.ts';
import m1 from './business/orders/jobs/pending.ts';
import m2 from './business/servers/jobs/free-addresses.ts';
import m3 from './business/servers/jobs/provision.ts';
import m4 from './business/servers/jobs/reconcile.ts';
import m5 from './business/upkeep/jobs/partitions.ts';
import m6 from './business/upkeep/jobs/purge.ts';
import type { Job } from './work/job.ts';

export const jobs: readonly Job[] = [
  m0,
  m1,
  m2,
  m3,
  m4,
  m5,
  m6,
];

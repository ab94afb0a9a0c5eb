import assert from 'node:assert/strict';
import { type RecordInput, readRecord } from '../src/base/dns/read-record.ts';
import { type PlanBase, planChange, sizeOf, type ZonePlan } from '../src/business/dns/plan/plan.ts';
import type { RecordChange, ZoneInput, ZoneRecord } from '../src/business/dns/zone/record.ts';

// Zones whose changes are planned, without a database.

export const ZONE = 'example.com';

export function stored(id: string, input: RecordInput): ZoneRecord {
  const found = readRecord(input, ZONE);
  assert.ok(found.ok, found.ok ? '' : found.problem.message);
  return { ...found.value, ttl: found.value.ttl ?? 3_600, id, managed_by: 'customer' };
}

export const base = (records: readonly ZoneRecord[]): PlanBase => ({
  zone: ZONE,
  defaultTtl: 3_600,
  size: sizeOf(records),
  records,
});

export function ids(): () => string {
  let last = 0;
  return () => `new-${++last}`;
}

export function planned(records: readonly ZoneRecord[], input: ZoneInput): ZonePlan {
  const planning = planChange(base(records), input, ids());
  assert.ok(planning.ok, JSON.stringify(planning));
  return planning.plan;
}

export const create = (input: RecordInput): RecordChange => ({ action: 'create', ...input });

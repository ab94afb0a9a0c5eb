import { z } from 'zod';
import { Country, Line, Name } from './label.ts';
import { Ipv4Pool, Ipv6Pool } from './pool.ts';
import { UnitPricings } from './price.ts';
import { RescueSystem } from './rescue-system.ts';

const MIB_PER_GIB = 1024;
const UPLINK_UNIT = 100;

export const Datacenter = z.strictObject({ name: Name, displayname: Line, country: Country, city: Line });
export type Datacenter = z.output<typeof Datacenter>;

/** What a customer may choose: min, min + step, … up to max. */
export const Range = z
  .strictObject({ min: z.int().min(0), max: z.int().min(0), step: z.int().min(1) })
  .refine((range) => range.min <= range.max, { path: ['max'], error: 'must not be less than min' });
export type Range = z.output<typeof Range>;

/** A range in which everything is a whole number of the units that are priced. */
const rangeIn = (unit: number, name: string) =>
  Range.superRefine((range, ctx) => {
    for (const key of ['min', 'max', 'step'] as const) {
      if (range[key] % unit === 0) continue;
      ctx.addIssue({ code: 'custom', path: [key], message: `must be a multiple of ${unit}: ${name}` });
    }
  });

/** What may be sold on a node: with overbooking, more than it has. Memory MiB, disk GiB. */
export const Capacity = z.strictObject({
  cores: z.int().min(1),
  memory: z.int().min(1),
  disk: z.int().min(1),
});
export type Capacity = z.output<typeof Capacity>;

/**
 * What the traffic of servers is limited to. `included` is for configurations of a customer's own, in GiB a billing
 * period, as packages have it; `throttle` the uplink of whoever used more, in Mbit/s. null: there is no limit.
 */
const TrafficTerms = z.strictObject({
  included: z.int().min(1).nullable().default(null),
  throttle: z.int().min(1).nullable().default(null),
});

/** A kind of machine in one place, which a customer chooses; its nodes do the work. */
export const Host = z.strictObject({
  name: Name,
  displayname: Line,
  datacenter: Name,
  sold: z.boolean().default(true),
  /** The configured hypervisor connection that runs it. */
  hypervisor: Name,
  arch: z.enum(['x86_64', 'aarch64']).default('x86_64'),
  hardware: z.strictObject({ processor: Line, memory: Line, disk: Line }),
  ddos_protection: z.array(Line).min(1).max(10),
  nodes: z
    .array(z.strictObject({ name: Name, capacity: Capacity }))
    .min(1)
    .max(1000),
  configuration: z.strictObject({
    cores: Range,
    memory: rangeIn(MIB_PER_GIB, 'memory is priced by the GiB'),
    disk: Range,
    uplink: rangeIn(UPLINK_UNIT, 'uplink is priced by 100 Mbit/s'),
    ipv4: Range,
    backup_slots: Range,
  }),
  unit_pricings: z.strictObject({
    cores: UnitPricings,
    memory_gib: UnitPricings,
    disk_gib: UnitPricings,
    uplink_100mbit: UnitPricings,
    ipv4: UnitPricings,
    backup_slot: UnitPricings,
  }),
  networks: z.strictObject({ ipv4: Ipv4Pool, ipv6: Ipv6Pool }),
  traffic: TrafficTerms.prefault({}),
  /** What its servers are rescued with; null: they cannot be. */
  rescue: RescueSystem.nullable().default(null),
});
export type Host = z.output<typeof Host>;

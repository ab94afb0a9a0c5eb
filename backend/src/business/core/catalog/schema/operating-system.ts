import { z } from 'zod';
import { Line, Name } from './label.ts';
import { Price } from './price.ts';

/** An image that servers are installed from. Memory in MiB, disk in GiB, the licence's price per month. */
export const OperatingSystem = z.strictObject({
  name: Name,
  displayname: Line,
  family: z.enum([
    'debian',
    'ubuntu',
    'rocky',
    'alma',
    'fedora',
    'opensuse',
    'arch',
    'alpine',
    'freebsd',
    'windows',
    'other',
  ]),
  version: Line,
  platform: z.enum(['linux', 'bsd', 'windows']),
  arch: z.enum(['x86_64', 'aarch64']).default('x86_64'),
  icon: Name,
  min_cores: z.int().min(1),
  min_memory: z.int().min(1),
  min_disk: z.int().min(1),
  /** Who logs in. */
  username: z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,31}$/, 'must be a user name'),
  cloud_init: z.boolean(),
  license_price: Price.default(0n),
  end_of_life: z.iso.date().nullable(),
  deprecated: z.boolean().default(false),
  sold: z.boolean().default(true),
});
export type OperatingSystem = z.output<typeof OperatingSystem>;

import { z } from 'zod';
import { duration, durationUnit, label, uuid } from '../../api/field.ts';
import { consent, orderFields } from '../../api/order.ts';
import { hostname, serverPassword, userData } from '../../api/server.ts';
import type { Host } from '../../business/core/catalog/schema/host.ts';
import type { OperatingSystem } from '../../business/core/catalog/schema/operating-system.ts';
import type { Terms } from '../../business/core/catalog/schema/term.ts';
import type { CatalogVersion } from '../../business/core/catalog/versions.ts';
import {
  type Chosen,
  type Configuration,
  chosenConfiguration,
  packageConfiguration,
} from '../../business/servers/configuration.ts';
import type { InputProblem, Refusal, RefusalDetail } from '../../errors.ts';
import { installedKeys } from './ssh-keys.schema.ts';

const size = z.int().min(1).max(100_000_000);

/** What `server/order` takes: a package, or cores, memory and disk of the customer's own. */
export const serverOrderInput = z.strictObject({
  host: z.string().max(63).describe('From `server/hosts`.'),
  pack_uuid: uuid
    .optional()
    .describe('A package of that host, from `server/prices`; or `cores`, `memory` and `disk`.'),
  cores: size.optional(),
  memory: size.optional().describe('MiB'),
  disk: size.optional().describe('GiB'),
  uplink: size.optional().describe('Mbit/s; omitted: the least that the host offers'),
  ipv4: z.int().min(0).max(1000).optional().describe('How many IPv4 addresses; omitted: 1'),
  ipv6: z.boolean().optional().describe('Whether it gets an IPv6 network; omitted: true'),
  backup_slots: z.int().min(0).max(1000).optional(),
  os: z.string().max(63).describe('From `server/os`.'),
  hostname,
  custom_name: label.optional(),
  password: serverPassword.optional().describe('Omitted: one is made, and shown in the answer.'),
  ...installedKeys,
  user_data: userData.optional().describe('For cloud-init.'),
  rdns: hostname.optional().describe('The reverse name of the first IPv4 address.'),
  start: z.boolean().default(true),
  duration,
  duration_unit: durationUnit.default('month'),
  auto_renew: z.boolean().default(false),
  ...consent,
  ...orderFields,
});
type Input = z.output<typeof serverOrderInput>;

/** What an order asks for, as the catalogue has it. */
export interface WantedServer {
  readonly configuration: Configuration;
  /** null: a configuration of the customer's own. */
  readonly packageUuid: string | null;
  /** For people: the package's name, or the size. */
  readonly name: string;
  /** The terms that it is sold for; null: any. */
  readonly terms: Terms | null;
  readonly os: OperatingSystem;
}

export const WANTED_ERRORS = ['not_found', 'os_requirements_not_met', 'not_supported_by_backend'] as const;
type Refuser = {
  refusal(code: (typeof WANTED_ERRORS)[number] | 'validation_failed', detail?: RefusalDetail): Refusal;
};

/** Reads an order against the catalogue; refuses what that does not offer, naming the fields. */
export function wantedServer(ctx: Refuser, catalog: CatalogVersion, input: Input): WantedServer {
  const host = catalog.hosts.get(input.host);
  if (host === undefined || !host.sold) {
    const allowed = catalog.content.hosts.filter((other) => other.sold).map((other) => other.name);
    throw invalid(ctx, [notAllowed('/host', 'There is no such host.', allowed)]);
  }
  const { configuration, packageUuid, name, terms } = wantedSize(ctx, catalog, host, input);
  const os = catalog.operatingSystems.get(input.os);
  if (os === undefined || !os.sold || os.arch !== host.arch) {
    const allowed = catalog.content.operating_systems.filter(
      (other) => other.sold && other.arch === host.arch,
    );
    const names = allowed.map((other) => other.name);
    throw invalid(ctx, [notAllowed('/os', 'There is no such operating system for this host.', names)]);
  }
  const { cores, memory, disk } = configuration;
  if (cores < os.min_cores || memory < os.min_memory || disk < os.min_disk) {
    const { min_cores, min_memory, min_disk } = os;
    throw ctx.refusal('os_requirements_not_met', { members: { min_cores, min_memory, min_disk } });
  }
  if (input.rdns !== undefined) {
    if (configuration.ipv4 === 0) {
      throw invalid(ctx, [notAllowed('/rdns', 'A server without an IPv4 address has no reverse name.')]);
    }
    if (host.networks.ipv4.reverse_zone === null) {
      throw ctx.refusal('not_supported_by_backend', { members: { capability: 'rdns' } });
    }
  }
  return { configuration, packageUuid, name, terms, os };
}

const OWN_SIZE = ['cores', 'memory', 'disk', 'uplink', 'ipv4', 'ipv6', 'backup_slots'] as const;

/** The size of the package, or the one that was chosen. */
function wantedSize(ctx: Refuser, catalog: CatalogVersion, host: Host, input: Input) {
  if (input.pack_uuid !== undefined) {
    const superfluous = OWN_SIZE.filter((field) => input[field] !== undefined);
    if (superfluous.length > 0) {
      const message = 'A package has its own size: leave this out, or the package.';
      throw invalid(
        ctx,
        superfluous.map((field) => notAllowed(`/${field}`, message)),
      );
    }
    const pack = catalog.serverPackages.get(input.pack_uuid);
    if (pack === undefined || !pack.sold) throw ctx.refusal('not_found');
    if (pack.host !== host.name) {
      throw invalid(ctx, [notAllowed('/host', 'The package is sold on another host.', [pack.host])]);
    }
    const configuration = packageConfiguration(pack, host);
    return { configuration, packageUuid: pack.uuid, name: pack.name, terms: pack.durations };
  }
  const choice = chosenConfiguration(host, chosenOf(ctx, input));
  if (choice.kind === 'out_of_range') {
    throw invalid(
      ctx,
      choice.fields.map(({ field, range: { min, max, step } }) => ({
        pointer: `/${field}`,
        error: 'out_of_range',
        message: `This host offers ${min} to ${max} in steps of ${step}.`,
      })),
    );
  }
  const { configuration } = choice;
  const { cores, memory, disk } = configuration;
  const name = `${cores} cores, ${memory} MiB, ${disk} GiB`;
  return { configuration, packageUuid: null, name, terms: null };
}

function chosenOf(ctx: Refuser, input: Input): Chosen {
  const { cores, memory, disk } = input;
  if (cores !== undefined && memory !== undefined && disk !== undefined)
    return { ...input, cores, memory, disk };
  const missing = (['cores', 'memory', 'disk'] as const).filter((field) => input[field] === undefined);
  throw invalid(
    ctx,
    missing.map((field) => ({
      pointer: `/${field}`,
      error: 'required',
      message: 'Without a package this field is required.',
    })),
  );
}

function notAllowed(pointer: string, message: string, allowed?: readonly unknown[]): InputProblem {
  return { pointer, error: 'not_allowed', message, ...(allowed === undefined ? {} : { allowed }) };
}

function invalid(ctx: Refuser, errors: readonly InputProblem[]): Refusal {
  return ctx.refusal('validation_failed', {
    errors,
    members: { fields: errors.map((problem) => problem.pointer) },
  });
}

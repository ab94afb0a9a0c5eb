import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { undiscountedFields } from '../../api/order.ts';
import { type Instant, isBefore, wireTime } from '../../base/time.ts';
import type { CatalogVersion } from '../../business/core/catalog/versions.ts';
import { CHANGEABLE } from '../../business/servers/changes/change.ts';
import { type Configuration, packageConfiguration } from '../../business/servers/configuration.ts';
import { changedConfiguration } from '../../business/servers/resize.ts';
import { CUSTOM, type Server } from '../../business/servers/server.ts';
import type { InputProblem, Refusal, RefusalDetail } from '../../errors.ts';

const amount = z.int().min(1).max(100_000_000).optional();

/** What `server/resize` takes: another package, or what is to change of a size of the customer's own. */
export const resizeInput = z.strictObject({
  uuid,
  pack_uuid: uuid.optional().describe("Another package of the server's host; or some of the rest."),
  cores: amount,
  memory: amount.describe('MiB'),
  disk: amount.describe('GiB; disks only grow'),
  uplink: amount.describe('Mbit/s'),
  backup_slots: z.int().min(0).max(1000).optional(),
  ...undiscountedFields,
});
type Input = z.output<typeof resizeInput>;

const OWN_SIZE = ['cores', 'memory', 'disk', 'uplink', 'backup_slots'] as const;

/** What a server is to become. */
export interface ResizedServer {
  /** The package's uuid, or CUSTOM. */
  readonly item: string;
  /** For people: the package's name, or the size. */
  readonly name: string;
  readonly configuration: Configuration;
}

/**
 * Refuses a change of size beyond the paid term, while the server runs on in its grace: there is no time left that the
 * larger size could be paid for, and a smaller one would lower the price of time in which it was larger. Renewed, it is
 * paid from its former end on, and changes size again.
 */
export function mustBePaid(
  ctx: { refusal(code: 'state_conflict', detail?: RefusalDetail): Refusal },
  { expire_at }: Pick<Server, 'expire_at'>,
  now: Instant,
): void {
  if (isBefore(now, expire_at)) return;
  throw ctx.refusal('state_conflict', {
    members: {
      current_state: 'expired',
      allowed_states: CHANGEABLE,
      suspensions: [],
      expire_at: wireTime(expire_at),
    },
  });
}

type Refuser = {
  refusal(
    code: 'not_found' | 'validation_failed' | 'os_requirements_not_met',
    detail?: RefusalDetail,
  ): Refusal;
};

/** Reads a change of size against the catalogue; refuses what that does not offer, naming the fields. */
export function resizedServer(
  ctx: Refuser,
  catalog: CatalogVersion,
  found: Server,
  current: Configuration,
  input: Input,
): ResizedServer {
  const wanted =
    input.pack_uuid === undefined
      ? ownSize(ctx, catalog, found, current, input)
      : ofPackage(ctx, catalog, found, input);
  const { cores, memory, disk } = wanted.configuration;
  if (disk < found.disk) {
    const message = `Disks only grow: this one has ${found.disk} GiB.`;
    throw invalid(ctx, [
      { pointer: input.pack_uuid === undefined ? '/disk' : '/pack_uuid', error: 'out_of_range', message },
    ]);
  }
  const os = catalog.operatingSystems.get(found.os);
  const shrinks = cores < found.cores || memory < found.memory;
  if (shrinks && os !== undefined && (cores < os.min_cores || memory < os.min_memory)) {
    const { min_cores, min_memory, min_disk } = os;
    throw ctx.refusal('os_requirements_not_met', { members: { min_cores, min_memory, min_disk } });
  }
  return wanted;
}

function ofPackage(ctx: Refuser, catalog: CatalogVersion, found: Server, input: Input): ResizedServer {
  const superfluous = OWN_SIZE.filter((field) => input[field] !== undefined);
  if (superfluous.length > 0) {
    const message = 'A package has its own size: leave this out, or the package.';
    throw invalid(
      ctx,
      superfluous.map((field) => notAllowed(`/${field}`, message)),
    );
  }
  const pack = catalog.serverPackages.get(input.pack_uuid ?? '');
  const host = catalog.hosts.get(found.host);
  if (pack === undefined || host === undefined || !pack.sold) throw ctx.refusal('not_found');
  if (pack.host !== host.name)
    throw invalid(ctx, [notAllowed('/pack_uuid', 'The package is sold on another host.')]);
  const configuration = packageConfiguration(pack, host);
  const addresses = found.addresses?.filter(({ family }) => family === 4).length ?? 0;
  if (addresses > configuration.ipv4 || found.backup_slots > configuration.backupSlots) {
    const message = 'The server has more addresses or backup slots than a package.';
    throw invalid(ctx, [notAllowed('/pack_uuid', message)]);
  }
  if (found.item === pack.uuid)
    throw invalid(ctx, [notAllowed('/pack_uuid', 'The server is of this package.')]);
  return { item: pack.uuid, name: pack.name, configuration };
}

function ownSize(
  ctx: Refuser,
  catalog: CatalogVersion,
  found: Server,
  current: Configuration,
  input: Input,
): ResizedServer {
  if (OWN_SIZE.every((field) => input[field] === undefined || input[field] === found[field])) {
    const message = 'Nothing of its size would change.';
    throw invalid(ctx, [{ pointer: '', error: 'required', message }]);
  }
  const host = catalog.hosts.get(found.host);
  if (host === undefined) throw ctx.refusal('not_found');
  const choice = changedConfiguration(host, current, input);
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
  const { cores, memory, disk } = choice.configuration;
  const name = `${cores} cores, ${memory} MiB, ${disk} GiB`;
  return { item: CUSTOM, name, configuration: choice.configuration };
}

function notAllowed(pointer: string, message: string): InputProblem {
  return { pointer, error: 'not_allowed', message };
}

function invalid(ctx: Refuser, errors: readonly InputProblem[]): Refusal {
  return ctx.refusal('validation_failed', {
    errors,
    members: { fields: errors.map((problem) => problem.pointer) },
  });
}

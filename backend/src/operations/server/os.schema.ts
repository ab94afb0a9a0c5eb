import type { OperatingSystem } from '../../business/core/catalog/schema/operating-system.ts';
import type { CatalogVersion } from '../../business/core/catalog/versions.ts';
import type { Server } from '../../business/servers/server.ts';
import type { Refusal, RefusalDetail } from '../../errors.ts';

/**
 * The operating system that a server may be installed with anew; refuses what cannot run there. One that costs more
 * than what runs there now comes with an order: nothing is charged for a reinstallation.
 */
export function reinstallableSystem(
  ctx: {
    readonly catalog: CatalogVersion;
    refusal(code: 'validation_failed' | 'os_requirements_not_met', detail?: RefusalDetail): Refusal;
  },
  found: Pick<Server, 'host' | 'os' | 'cores' | 'memory' | 'disk'>,
  name: string,
): OperatingSystem {
  const { hosts, operatingSystems, content } = ctx.catalog;
  const arch = hosts.get(found.host)?.arch;
  const paid = operatingSystems.get(found.os)?.license_price ?? 0n;
  const isOffered = (os: OperatingSystem) =>
    (os.sold || os.name === found.os) && os.arch === arch && os.license_price <= paid;
  const os = operatingSystems.get(name);
  if (os === undefined || !isOffered(os)) {
    const allowed = content.operating_systems.filter(isOffered).map((other) => other.name);
    const message = 'A server cannot be installed anew with this.';
    throw ctx.refusal('validation_failed', {
      errors: [{ pointer: '/os', error: 'not_allowed', message, allowed }],
      members: { fields: ['/os'] },
    });
  }
  const { min_cores, min_memory, min_disk } = os;
  if (found.cores < min_cores || found.memory < min_memory || found.disk < min_disk)
    throw ctx.refusal('os_requirements_not_met', { members: { min_cores, min_memory, min_disk } });
  return os;
}

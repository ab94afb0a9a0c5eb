import type { Instant } from '../../../base/time.ts';
import type { RegistryOutcome, WantedRenewal } from '../port.ts';
import { ownDomain, period } from './domain.ts';
import { acceptedFee } from './fee.ts';
import { done, ensured, Refused } from './refusal.ts';
import { command, type EppRegistry, needed } from './registry.ts';
import { dateOf, readInstant } from './wire/date-time.ts';
import { textOf, writer } from './wire/element.ts';
import { dataOf } from './wire/response.ts';

const domain = writer('domain');

/** Extends the term that the order was made against; if the registry's is another by now, it was renewed (rule F4). */
export async function renewDomain(
  registry: EppRegistry,
  wanted: WantedRenewal,
): Promise<RegistryOutcome<{ readonly expireAt: Instant }>> {
  const believed = dateOf(wanted.believedExpireAt);
  return await ensured(
    async () => {
      const { expireAt } = await ownDomain(registry, wanted);
      if (expireAt === null)
        throw new Refused('not_supported', `registrations under ${wanted.tld} have no end`);
      return dateOf(expireAt) > believed ? { expireAt } : null;
    },
    () => renew(registry, wanted, believed),
  );
}

async function renew(
  registry: EppRegistry,
  wanted: WantedRenewal,
  believed: string,
): Promise<RegistryOutcome<{ readonly expireAt: Instant }>> {
  const response = await command(
    registry,
    wanted,
    (uses) => {
      if (wanted.fee !== null) needed(uses, 'fee');
      const fee = acceptedFee('renew', wanted.fee);
      return {
        name: 'domain renew',
        verb: 'renew',
        content: [
          domain('renew', [
            domain('name', wanted.domain),
            domain('curExpDate', believed),
            period(wanted.years),
          ]),
        ],
        extensions: fee === null ? [] : [fee],
      };
    },
    'period_not_allowed',
  );
  if (response.code === 1001) return { kind: 'pending', step: 'registry', progress: 0 };
  const told = readInstant(textOf(dataOf(response, 'domain', 'renData'), 'domain', 'exDate'));
  const expireAt = told ?? (await ownDomain(registry, wanted)).expireAt;
  if (expireAt === null) throw new Error(`the registry renewed ${wanted.domain} and tells no end`);
  return done({ expireAt });
}

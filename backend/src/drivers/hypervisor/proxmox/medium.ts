import type { WantedMedium } from '../port.ts';
import { bootOrder, MEDIUM_DRIVE, NO_MEDIUM, textOf } from './configuration.ts';
import type { Machine } from './machine.ts';
import { powerOf } from './power.ts';
import { Refused } from './refusal.ts';

/**
 * Changes what is in a machine's drive, at once where it was started with one: drives themselves cannot be added to what
 * runs. The order of starting waits for the next start.
 */
export async function setMedium(
  machine: Machine,
  wanted: WantedMedium | null,
): Promise<{ requiresReboot: boolean }> {
  const { cluster, configuration } = machine;
  const volume = wanted === null ? null : cluster.settings.media[wanted.name];
  if (volume === undefined) throw new Refused(`no medium ${wanted?.name} is configured`);
  const drive = volume === null ? NO_MEDIUM : `${volume},media=cdrom`;
  const place = wanted === null ? 'none' : wanted.bootFirst ? 'first' : 'last';
  await machine.configure({
    [MEDIUM_DRIVE]: drive,
    boot: bootOrder(configuration, { medium: place }),
  });
  if (powerOf(await machine.current()) === 'stopped') return { requiresReboot: false };
  const [seen = ''] = textOf(await machine.running(), MEDIUM_DRIVE).split(',');
  return { requiresReboot: seen !== (volume ?? 'none') };
}

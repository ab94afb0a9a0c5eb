import type { Steps } from './plan-step.ts';
import type { ZoneWarning } from './position.ts';
import { nameWarnings } from './warnings-name.ts';
import { recordWarnings } from './warnings-record.ts';
import { leftPointing, targetWarnings } from './warnings-target.ts';

/** What works but is likely not meant, of everything that a change has to do with. */
export function warningsOf(zone: string, steps: Steps): ZoneWarning[] {
  const warnings: ZoneWarning[] = [];
  for (const [name, touchedAt] of steps.touched) {
    for (const { after, place } of steps.at(name)) {
      if (place === null || after.disabled) continue;
      warnings.push(...recordWarnings(after, place), ...targetWarnings(zone, steps, after, place));
    }
    if (touchedAt !== null) warnings.push(...nameWarnings(zone, steps, name, touchedAt));
  }
  return [...warnings, ...leftPointing(zone, steps)];
}

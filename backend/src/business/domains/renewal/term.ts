import { type Instant, isBefore } from '../../../base/time.ts';

/** Registries may count a day otherwise than we do: ends so near to each other are the same. */
const SAME = { hours: 48 };

/** How many more years a registration needs to reach an end; 0: it does. */
export function missingYears(from: Instant, until: Instant): number {
  const start = from.toZonedDateTimeISO('UTC');
  const wanted = until.subtract(SAME);
  let years = 0;
  while (isBefore(start.add({ years }).toInstant(), wanted)) years += 1;
  return years;
}

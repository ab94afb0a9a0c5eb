import { absoluteName, type Name } from '../../../base/dns/name.ts';
import type { ZoneRecord } from '../zone/record.ts';
import { NamesAbove } from './names-above.ts';
import type { RecordPosition } from './position.ts';

/** What becomes of one record. Of records that nobody asked to change, `before` and `after` are the same. */
export interface Step {
  readonly before: ZoneRecord | null;
  after: ZoneRecord | null;
  /** Whether the TTL is one that was asked for. */
  readonly ttlGiven: boolean;
  /** Where it was asked for; null: it was not. */
  readonly place: RecordPosition | null;
}

/** Steps by the name that they have to do with, before or after. */
export class Steps {
  readonly #byName = new Map<string, Step[]>();
  readonly #touched = new Map<string, RecordPosition | null>();
  readonly all: Step[] = [];
  readonly #zone: Name;
  readonly #above: NamesAbove;

  constructor(zone: Name) {
    this.#zone = zone;
    this.#above = new NamesAbove(zone);
  }

  add(step: Step): void {
    this.all.push(step);
    for (const name of new Set([step.before?.name, step.after?.name])) {
      if (name === undefined) continue;
      const steps = this.#byName.get(name);
      if (steps === undefined) {
        this.#byName.set(name, [step]);
        this.#above.add(absoluteName(name, this.#zone));
      } else steps.push(step);
      if (isChange(step) && !this.#touched.get(name)) this.#touched.set(name, step.place);
    }
  }

  /** Names at which something was asked to change, and where it was. */
  get touched(): ReadonlyMap<string, RecordPosition | null> {
    return this.#touched;
  }

  /** The steps whose records are at a name afterwards, published or not. */
  at(name: string): Staying[] {
    return (this.#byName.get(name) ?? []).filter((step): step is Staying => step.after?.name === name);
  }

  /** The records that are published at a name afterwards. */
  publishedAt(name: string): ZoneRecord[] {
    return this.at(name)
      .map(({ after }) => after)
      .filter(({ disabled }) => !disabled);
  }

  /** The records that were published at a name before. */
  publishedBefore(name: string): ZoneRecord[] {
    const steps = this.#byName.get(name) ?? [];
    return steps.flatMap(({ before }) => (before?.name === name && !before.disabled ? [before] : []));
  }

  /** The names above an absolute one at which there are records, or a wildcard's; without the zone's, the nearest first. */
  namesAbove(name: Name): Name[] {
    return this.#above.of(name);
  }
}

export type Staying = Step & { after: ZoneRecord };

function isChange({ before, after, place }: Step): boolean {
  return place !== null || before !== after;
}

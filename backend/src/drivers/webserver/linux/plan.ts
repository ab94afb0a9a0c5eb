/** One thing that is to be so on a host. */
export interface Step {
  readonly name: string;
  /** Whether it is so already. */
  isDone(): Promise<boolean>;
  /** Makes it so, from whatever an earlier run may have left. */
  apply(): Promise<void>;
  /** Takes back what `apply` made where nothing was; leaves what was there before. */
  undo(): Promise<void>;
}

/** What a run did, for the operator's log. Holds no secrets. */
export interface Audit {
  readonly plan: string;
  readonly steps: readonly { readonly step: string; readonly did: 'nothing' | 'applied' | 'undone' }[];
}

/** The host will never do this: a user that is another's, a PHP that is not there. */
export class PlanRefused extends Error {
  override readonly name = 'PlanRefused';
}

export interface PlanOptions {
  /** Hears of every step that is about to be applied: tests stop plans here. */
  readonly before?: (plan: string, step: string) => void;
  readonly report?: (audit: Audit) => void;
}

/**
 * Carries a plan out, one step after the other. Each step looks before it changes anything, so a plan that is run
 * twice changes nothing the second time, and one that was stopped anywhere is finished by the next run. When a step
 * refuses for good, what this run had applied is undone, the last first.
 */
export async function carryOut(
  plan: string,
  steps: readonly Step[],
  options: PlanOptions = {},
): Promise<boolean> {
  const did: { step: string; did: 'nothing' | 'applied' | 'undone' }[] = [];
  const applied: Step[] = [];
  try {
    for (const step of steps) {
      if (await step.isDone()) {
        did.push({ step: step.name, did: 'nothing' });
        continue;
      }
      options.before?.(plan, step.name);
      applied.push(step);
      await step.apply();
      did.push({ step: step.name, did: 'applied' });
    }
    return applied.length > 0;
  } catch (error) {
    if (!(error instanceof PlanRefused)) throw error;
    for (const step of applied.toReversed()) {
      await step.undo();
      did.push({ step: step.name, did: 'undone' });
    }
    throw error;
  } finally {
    options.report?.({ plan, steps: did });
  }
}

import type { DomainAvailability, DomainQuestion, RegistryDriver } from '../port.ts';
import { reactionTo } from './rules.ts';

export interface SandboxNamesOptions {
  /** How late the answer for `slow…` names comes; later than the default deadline. */
  readonly slowMs?: number;
}

/**
 * What the sandbox says of names that nobody has registered: it follows from the name alone, and names can also make
 * it slow, silent or break. See docs/guides/sandbox.md.
 */
export class SandboxNames implements RegistryDriver {
  readonly #slowMs: number;

  constructor(options: SandboxNamesOptions = {}) {
    this.#slowMs = options.slowMs ?? 3_000;
  }

  async check(
    questions: readonly DomainQuestion[],
    answer: (availability: DomainAvailability) => void,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    const outstanding: Promise<void>[] = [];
    for (const question of questions) {
      const reaction = reactionTo(question);
      if (reaction.kind === 'answer') answer(reaction.answer);
      else if (reaction.kind === 'delay') outstanding.push(this.#late(() => answer(reaction.answer), signal));
      else if (reaction.kind === 'silence') outstanding.push(aborted(signal));
      else outstanding.push(Promise.reject(new Error('the connection to the sandbox registry broke')));
    }
    await Promise.all(outstanding);
  }

  async #late(give: () => void, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#slowMs);
    try {
      await Promise.race([promise, aborted(signal)]);
      give();
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Rejects when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}

import { BackendUnavailable } from '../../outcome.ts';
import type { DomainAvailability, DomainQuestion, RegistrarDriver } from '../port.ts';
import { takenAnswer } from './answer.ts';
import type { BooksOptions } from './books.ts';
import { withFaults } from './fault.ts';
import { SandboxNames } from './names.ts';
import { Registrar } from './registrar.ts';
import { Repository } from './repository.ts';

export interface SandboxRegistryOptions extends BooksOptions {
  /** Which of the registry's registrars this is. */
  readonly registrar?: string;
  /** How late the answer for `slow…` names comes; later than the default deadline. */
  readonly slowMs?: number;
}

/** One registrar's connection to the sandbox registry, without a wire between. See docs/guides/sandbox.md. */
export class SandboxRegistry extends Registrar implements RegistrarDriver {
  readonly #names: SandboxNames;

  constructor({ registrar = 'hostkeep', slowMs, ...books }: SandboxRegistryOptions) {
    super(withFaults(books.db, new Repository(books).commandsOf(registrar)));
    this.#names = new SandboxNames(slowMs === undefined ? {} : { slowMs });
  }

  async check(
    questions: readonly DomainQuestion[],
    answer: (availability: DomainAvailability) => void,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    const checked = await this.commands.domain.check(questions.map(({ domain }) => domain));
    if (!checked.ok) throw new BackendUnavailable('sandbox', new Error(checked.reason));
    const registered = new Map(
      checked.data.filter(({ reason }) => reason === 'taken').map((each) => [each.name, takenAnswer(each)]),
    );
    await this.#names.check(questions, (free) => answer(registered.get(free.domain) ?? free), signal);
  }
}

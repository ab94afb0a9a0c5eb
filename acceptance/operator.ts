import { command, type Settings } from './program.ts';

/** What the person who runs an installation can do to it: the commands, on its database. */
export class Operator {
  readonly #where: readonly string[];
  readonly #settings: Settings;

  /** `where` are the flags that name the installation, or none when a setting does. */
  constructor(where: readonly string[], settings: Settings) {
    this.#where = where;
    this.#settings = settings;
  }

  token(customer: string, scope = '*'): Promise<string> {
    return this.#run('token', 'create', '--customer', customer, '--scope', scope);
  }

  /** Gives the customer's UUID. `balance` is in major units, as people write it. */
  createCustomer(email: string, balance?: string): Promise<string> {
    return this.#run('customer', 'create', '--email', email, ...(balance ? ['--balance', balance] : []));
  }

  adjustBalance(email: string, amount: string): Promise<string> {
    return this.#run('balance', 'adjust', '--customer', email, '--amount', amount, '--reason', 'test');
  }

  #run(...args: string[]): Promise<string> {
    return command([...args, ...this.#where], this.#settings);
  }
}

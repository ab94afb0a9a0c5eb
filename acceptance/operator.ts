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

  /** The newest mails of the sandbox as they are shown, the last one at the end. */
  mails(count = 20): Promise<string> {
    return this.#run('mails', String(count));
  }

  /** Gives how many entries of a statement were imported and booked, as it is printed. */
  importStatement(file: string): Promise<string> {
    return this.#run('bank', 'import', file);
  }

  #run(...args: string[]): Promise<string> {
    return command([...args, ...this.#where], this.#settings);
  }
}

import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../../base/canonical.ts';
import { statement } from '../../../db/statement.ts';
import { Books, type BooksOptions } from './books.ts';
import type { DomainCommands, RegistrarCommands } from './commands.ts';
import { contactCommands } from './contact-commands.ts';
import { deleteDomain, updateDomain } from './domain-change.ts';
import { checkDomains, domainInfo, queryTransfer } from './domain-lookup.ts';
import { createDomain, renewDomain } from './domain-registration.ts';
import { reportRestore, requestRestore } from './domain-restore.ts';
import { approveTransfer, cancelTransfer, rejectTransfer, requestTransfer } from './domain-transfer.ts';
import { hostCommands } from './host-commands.ts';
import { pollCommands } from './poll-commands.ts';
import { failure, type Reply, success } from './reply.ts';

const passwordOf = statement<{ password: string }>(
  'sandbox_registry_password',
  'SELECT password FROM sandbox.registry_registrars WHERE name = $1',
);

/** The sandbox registry (RFC 5730: a repository), with real rules and any number of registrars. */
export class Repository {
  readonly #books: Books;

  constructor(options: BooksOptions) {
    this.#books = new Books(options);
  }

  /** RFC 5730 §2.9.1.1. 2200: no such registrar, or not their password. */
  async login(registrar: string, password: string): Promise<Reply<RegistrarCommands>> {
    const [row] = await this.#books.db.run(passwordOf, [registrar]);
    if (row === undefined || !timingSafeEqual(sha256(row.password), sha256(password)))
      return failure(2200, 'registrar', 'no registrar has this name and password');
    return success(this.commandsOf(registrar));
  }

  /** For who is inside already. */
  commandsOf(registrar: string): RegistrarCommands {
    const books = this.#books;
    return {
      registrar,
      domain: domainCommands(books, registrar),
      contact: contactCommands(books, registrar),
      host: hostCommands(books, registrar),
      poll: pollCommands(books, registrar),
    };
  }
}

function domainCommands(books: Books, registrar: string): DomainCommands {
  return {
    check: (names) => checkDomains(books, names),
    info: (name, authcode) => domainInfo(books, registrar, name, authcode),
    create: (domain) => createDomain(books, registrar, domain),
    renew: (renewal) => renewDomain(books, registrar, renewal),
    queryTransfer: (name, authcode) => queryTransfer(books, registrar, name, authcode),
    requestTransfer: (request) => requestTransfer(books, registrar, request),
    approveTransfer: (name) => approveTransfer(books, registrar, name),
    rejectTransfer: (name) => rejectTransfer(books, registrar, name),
    cancelTransfer: (name) => cancelTransfer(books, registrar, name),
    update: (change) => updateDomain(books, registrar, change),
    delete: (name) => deleteDomain(books, registrar, name),
    requestRestore: (name, fee) => requestRestore(books, registrar, name, fee),
    reportRestore: (report) => reportRestore(books, registrar, report),
  };
}

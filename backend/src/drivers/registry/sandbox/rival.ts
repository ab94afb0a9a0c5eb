import { randomInt } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import { statement } from '../../../db/statement.ts';
import type { RegistryContact } from '../port.ts';
import type { BooksOptions } from './books.ts';
import type { EppTransferStatus } from './commands.ts';
import { days } from './life.ts';
import { readName } from './policy.ts';
import { failure, type Reply, success } from './reply.ts';
import { Repository } from './repository.ts';

/** The registrar of the sandbox that is not Hostkeep. */
export const RIVAL = 'rival';

/** Older than any lock. */
const AGE_DAYS = 100;
const CODE_CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789';

const CONTACT: Omit<RegistryContact, 'handle' | 'type'> = {
  name: 'Rita Rival',
  organisation: 'Rival Registrar',
  street: ['Nebenstraße 2'],
  city: 'Berlin',
  region: null,
  zip: '10115',
  country: 'DE',
  phone: '+49.30123456',
  fax: null,
  email: 'rita@rival.example',
  disclosed: false,
  extra: {},
};

const unlock = statement<{ name: string }>(
  'sandbox_registry_unlock',
  `UPDATE sandbox.registry_domains SET transfer_locked_until = NULL WHERE name = $1 RETURNING name`,
);

/** The other side of transfers, for people who try Hostkeep and for tests. */
export class Rival {
  readonly #options: BooksOptions;

  constructor(options: BooksOptions) {
    this.#options = options;
  }

  /** Registers a name as it would have long ago, so that nothing locks it, and gives its authcode. */
  async register(domain: string): Promise<Reply<string>> {
    const { clock } = this.#options;
    const long: Clock = { now: () => days(clock.now(), -AGE_DAYS) };
    const { contact, domain: domains } = new Repository({ ...this.#options, clock: long }).commandsOf(RIVAL);
    const made = await contact.create('RIVAL-1', CONTACT);
    if (!made.ok && made.code !== 2302) return made;
    const fees = await domains.check([domain]);
    if (!fees.ok) return fees;
    const [checked] = fees.data;
    const years = readName(domain)?.policy.periods[0] ?? 1;
    const premium = checked?.fees !== null && checked?.fees.class !== 'standard' ? checked?.fees : undefined;
    const created = await domains.create({
      name: domain,
      years,
      registrant: 'RIVAL-1',
      contacts: [
        { role: 'admin', handle: 'RIVAL-1' },
        { role: 'tech', handle: 'RIVAL-1' },
      ],
      hosts: [],
      ds: [],
      authcode: newAuthcode(),
      fee:
        premium === undefined ? null : { amount: premium.create * BigInt(years), currency: premium.currency },
    });
    return created.ok ? await this.authcode(domain) : created;
  }

  /** Sets a new authcode for a domain of the rival's. */
  async authcode(domain: string): Promise<Reply<string>> {
    const code = newAuthcode();
    const set = await this.#domains.update({ name: domain, authcode: code });
    return set.ok ? success(code) : set;
  }

  /** Asks for a domain of somebody else's; a premium name's price is accepted. */
  async request(domain: string, authcode: string): Promise<Reply<EppTransferStatus>> {
    const checked = await this.#domains.check([domain]);
    const fees = checked.ok ? (checked.data[0]?.fees ?? null) : null;
    const fee =
      fees === null || fees.class === 'standard' || fees.transfer === null
        ? null
        : { amount: fees.transfer, currency: fees.currency };
    return status(await this.#domains.requestTransfer({ name: domain, authcode, years: null, fee }));
  }

  approve(domain: string): Promise<Reply<EppTransferStatus>> {
    return this.#domains.approveTransfer(domain).then(status);
  }

  reject(domain: string): Promise<Reply<EppTransferStatus>> {
    return this.#domains.rejectTransfer(domain).then(status);
  }

  cancel(domain: string): Promise<Reply<EppTransferStatus>> {
    return this.#domains.cancelTransfer(domain).then(status);
  }

  /** As if 60 days had passed: whoever has a domain may transfer it. */
  async unlock(domain: string): Promise<Reply<null>> {
    const [unlocked] = await this.#options.db.run(unlock, [domain]);
    return unlocked === undefined ? failure(2303, 'name', `${domain} is not registered`) : success(null);
  }

  get #domains() {
    return new Repository(this.#options).commandsOf(RIVAL).domain;
  }
}

function status(reply: Reply<{ readonly status: EppTransferStatus }>): Reply<EppTransferStatus> {
  return reply.ok ? success(reply.data.status, reply.code) : reply;
}

function newAuthcode(): string {
  return Array.from({ length: 16 }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join('');
}

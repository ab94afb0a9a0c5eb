import { type Amount, printAmount } from '../../../../base/money.ts';
import { type Instant, wireTime } from '../../../../base/time.ts';
import { lockedAccount, type UnitOfWork } from '../../../../unit-of-work/unit-of-work.ts';
import { available } from '../../../core/accounts/account.ts';
import { queueMail } from '../../../notifications/mail/outbox.ts';
import type { ListedService, MailVariables } from '../../../notifications/mail/template.ts';
import type { Price } from '../../orders/price.ts';
import type { DueService } from './due.ts';

type Kind =
  | 'service.expiring'
  | 'service.unpaid'
  | 'service.not-renewable'
  | 'service.switched-off'
  | 'service.ended'
  | 'service.deleted';

interface Told {
  readonly kind: Kind;
  /** Of the first service: what no other mail is about. */
  readonly cause: string;
  readonly services: ListedService[];
  missing: Amount;
  readonly deletedAt: string;
}

/** Gathers what a sweep has to tell each customer: one mail of a kind, however many services it is about. */
export class LifecycleMail {
  readonly #uow: UnitOfWork;
  readonly #told = new Map<string, Map<string, Told>>();

  constructor(uow: UnitOfWork) {
    this.#uow = uow;
  }

  expiring(service: DueService, price: Price | null): void {
    this.#add('service.expiring', service, price);
  }

  unpaid(service: DueService, price: Price | null): void {
    const account = lockedAccount(this.#uow, service.account_id);
    const told = this.#add('service.unpaid', service, price);
    const spendable = available({ ...account, credit_limit: account.creditLimit });
    // What is there is counted once for all of them.
    if (told.services.length === 1) told.missing -= spendable > 0n ? spendable : 0n;
    told.missing += price?.gross ?? 0n;
  }

  notRenewable(service: DueService): void {
    this.#add('service.not-renewable', service, null);
  }

  switchedOff(service: DueService, deleteAt: Instant): void {
    this.#add('service.switched-off', service, null, wireTime(deleteAt));
  }

  /** As its customer wanted it. */
  ended(service: DueService, deleteAt: Instant): void {
    this.#add('service.ended', service, null, wireTime(deleteAt));
  }

  deleted(service: DueService): void {
    this.#add('service.deleted', service, null);
  }

  /** Queues the mails with everything else that the transaction writes. */
  queue(): void {
    for (const [accountId, kinds] of this.#told) {
      const { currency } = lockedAccount(this.#uow, accountId);
      for (const { kind: template, cause, services, missing, deletedAt } of kinds.values()) {
        const variables: { readonly [K in Kind]: MailVariables[K] } = {
          'service.expiring': { services },
          'service.unpaid': { services, missing: printAmount(missing > 0n ? missing : 0n, currency) },
          'service.not-renewable': { services },
          'service.switched-off': { services, deleted_at: deletedAt },
          'service.ended': { services, deleted_at: deletedAt },
          'service.deleted': { services },
        };
        queueMail(this.#uow, { cause, to: { accountId }, template, variables: variables[template] });
      }
    }
  }

  /** One mail for all services that the same is to be said of. */
  #add(kind: Kind, service: DueService, price: Price | null, deletedAt = ''): Told {
    const kinds = this.#told.get(service.account_id) ?? new Map<string, Told>();
    this.#told.set(service.account_id, kinds);
    const key = `${kind} ${deletedAt}`;
    const told = kinds.get(key) ?? {
      kind,
      cause: `${kind}:${service.id}:${wireTime(service.expire_at)}:${service.noticed.length}`,
      services: [],
      missing: 0n,
      deletedAt,
    };
    kinds.set(key, told);
    const renews = service.auto_renew && price !== null;
    told.services.push({
      name: service.custom_name ?? service.name,
      product: service.product,
      expire_at: wireTime(service.expire_at),
      renewal: renews ? printAmount(price.gross, price.currency) : null,
    });
    return told;
  }
}

import { type Instant, isBefore, later } from '../../../../base/time.ts';
import type { Pool } from '../../../../db/pool.ts';
import { isTransient, type Transaction, transaction } from '../../../../db/transaction.ts';
import type { EventOf, EventType } from '../../../../unit-of-work/event.ts';
import {
  emit,
  lockAccounts,
  lockedAccount,
  newUnitOfWork,
  type UnitOfWork,
} from '../../../../unit-of-work/unit-of-work.ts';
import { enqueue } from '../../../../work/queue.ts';
import { available } from '../../../core/accounts/account.ts';
import { type Renewing, renewalsCost } from '../../../core/accounts/forecast.ts';
import type { CatalogStore, CatalogVersion } from '../../../core/catalog/versions.ts';
import {
  claimFunds,
  decideOrder,
  loadOrderState,
  type OrderOutcome,
  type OrderRequest,
  type OrderState,
  priceOrder,
} from '../../orders/order.ts';
import type { Price } from '../../orders/price.ts';
import { recurringDiscountFrom } from '../../orders/recurring-discount.ts';
import { balanceLowJob } from '../../payments/work.ts';
import { converge, isDecidedByBackend, lifecycleOf, productOf, type RenewalLines } from '../product.ts';
import type { ServiceState } from '../service.ts';
import { daysAfter, deletionAt, isOff } from './deadlines.ts';
import { type DueService, lockDueServices } from './due.ts';
import { type LifecycleStep, lifecycleStep } from './lifecycle.ts';
import { changeService, type LifecycleChange, noteNotified, suspendUnpaid } from './lifecycle-change.ts';
import { LifecycleMail } from './lifecycle-mail.ts';
import { nextTerm, renewService } from './renew.ts';
import {
  announcedVersions,
  furtherDuration,
  type RenewalCatalogs,
  renewalLines,
  renewalPrice,
} from './renewal-price.ts';
import { upcomingRenewals } from './upcoming.ts';

/** How many services one transaction looks after (rule B7). */
export const MOST_TOGETHER = 500;

/** What one transaction did. */
export interface RenewalRunResult {
  readonly services: number;
  readonly renewed: number;
}

/**
 * Brings the due services of some accounts up to date in one transaction: notices, renewals, the end. Accounts
 * that another transaction holds are left for the next sweep, and of more than 500 services the rest.
 */
export async function renewDueAccounts(
  pool: Pool,
  catalogs: CatalogStore,
  now: Instant,
  accountIds: readonly string[],
): Promise<RenewalRunResult> {
  const once = () =>
    transaction(pool, async (tx) => {
      const uow = newUnitOfWork(now, await lockAccounts(tx, accountIds, { skipLocked: true }));
      const services = await lockDueServices(tx, [...uow.accounts.keys()], now, MOST_TOGETHER);
      if (services.length === 0) return { services: 0, renewed: 0 };
      const sweep = new RenewalRun(uow, await loadContext(tx, catalogs, uow, services));
      for (const service of services) sweep.take(service);
      sweep.queueMails();
      await Promise.all([uow.changes.send(tx), enqueue(tx, uow.jobs, 'bulk')]);
      return { services: services.length, renewed: sweep.renewed };
    });
  return await once().catch((error) => {
    if (!isTransient(error)) throw error;
    return once();
  });
}

interface RenewalRunContext {
  readonly orders: OrderState;
  readonly lines: ReadonlyMap<string, RenewalLines>;
  readonly announced: ReadonlyMap<number, CatalogVersion>;
  /** By account, what it has to pay for soon, where somebody is going to be told of an end. */
  readonly upcoming: ReadonlyMap<string, readonly Renewing[]>;
}

async function loadContext(
  tx: Transaction,
  catalogs: CatalogStore,
  uow: UnitOfWork,
  services: readonly DueService[],
): Promise<RenewalRunContext> {
  const [orders, lines] = await Promise.all([loadOrderState(tx, catalogs, []), renewalLines(tx, services)]);
  const announced = await announcedVersions(tx, catalogs, services);
  const { catalog } = orders;
  const told = services.filter(
    (service) =>
      mayBeRoutine(service) &&
      lifecycleStep(service, lifecycleOf(catalog, service), uow.now).kind === 'notice',
  );
  if (told.length === 0) return { orders, lines, announced, upcoming: new Map() };
  const accounts = new Map(told.map(({ account_id: id }) => [id, lockedAccount(uow, id)]));
  const end = told.map((service) => paidBefore(service, catalog)).reduce(later);
  const upcoming = await upcomingRenewals(tx, accounts, catalogs, catalog, { now: uow.now, end });
  return { orders, lines, announced, upcoming };
}

/** Whose renewal is so usual that its announcement needs no mail, if the price is the same and the money is there. */
function mayBeRoutine(service: DueService): boolean {
  return service.auto_renew && service.duration_unit !== 'year' && service.duration < 3;
}

/** Terms that begin before this moment are paid for before a service's own further term, or about the same time. */
function paidBefore(service: DueService, { content }: CatalogVersion): Instant {
  const earliest = Math.max(...Object.values(content.life).map(({ renew_days }) => renew_days));
  return daysAfter(service.expire_at, earliest + 1);
}

/** Why a service could not be renewed. */
type NotRenewed = Exclude<OrderOutcome['kind'], 'ordered'>;

/** One transaction's pass over services, in the order in which they are paid for. */
class RenewalRun {
  readonly #uow: UnitOfWork;
  readonly #context: RenewalRunContext;
  readonly #mail: LifecycleMail;
  readonly #renewed = new Set<string>();

  constructor(uow: UnitOfWork, context: RenewalRunContext) {
    this.#uow = uow;
    this.#context = context;
    this.#mail = new LifecycleMail(uow);
  }

  get #catalog(): CatalogVersion {
    return this.#context.orders.catalog;
  }

  get renewed(): number {
    return this.#renewed.size;
  }

  queueMails(): void {
    this.#mail.queue();
  }

  take(service: DueService): void {
    const step = lifecycleStep(service, lifecycleOf(this.#catalog, service), this.#uow.now);
    if (service.renewing) this.#change(service, {});
    else if (service.resizing) this.#awaitSize(service, step);
    else this.#apply(service, step, null);
  }

  /**
   * What a further term costs is known once the size is, and until then none is bought: of the smaller one the larger
   * would be had for its price. That can last, with a node out of reach. Who could not pay a term at the former price is
   * told so from the end of the term on, as anybody; and beyond the grace nobody else is waited for, so that they are not
   * served for longer by that.
   */
  #awaitSize(service: DueService, step: LifecycleStep): void {
    if (step.kind !== 'renew') {
      this.#apply(service, step, null);
      return;
    }
    const why = this.#obstacle(service);
    const isTermOver = !isBefore(this.#uow.now, service.expire_at);
    const isOver = step.otherwise.kind !== 'unpaid';
    if (isOver ? why !== null : isTermOver && why === 'insufficient_funds')
      this.#apply(service, step.otherwise, why);
    else this.#change(service, {});
  }

  /** `why`: of what is done instead of a renewal. */
  #apply(service: DueService, step: LifecycleStep, why: NotRenewed | null): void {
    switch (step.kind) {
      case 'wait':
        this.#change(service, {});
        return;
      case 'notice':
        this.#notice(service, step.days, [step.days, ...step.missed]);
        return;
      case 'renew': {
        const outcome = this.#renew(service);
        if (outcome === 'ordered') this.#renewed.add(service.id);
        else this.#apply(service, step.otherwise, outcome);
        return;
      }
      case 'unpaid':
        this.#notRenewed(service, why);
        return;
      case 'switch_off':
        this.#switchOff(service, why);
        return;
      case 'end':
        this.#end(service);
        return;
      case 'delete':
        this.#delete(service);
    }
  }

  #notice(service: DueService, days: number, given: readonly number[]): void {
    const price = this.#price(service);
    for (const one of given) noteNotified(this.#uow, service, `expiring:${one}`);
    this.#emit(service, {
      type: `${service.product}.expiring`,
      body: {
        expire_at: service.expire_at,
        days,
        auto_renew: service.auto_renew,
        ...this.#renewalBody(price),
      },
    });
    // Who renews for a month at the price of the month before, and has the money, need not be told each month.
    const routine = mayBeRoutine(service) && price?.gross === service.term_gross && this.#coversUpTo(service);
    if (!routine) this.#mail.expiring(service, price);
    this.#change(service, {
      announced_version: service.announced_version ?? (price === null ? null : this.#catalog.version),
    });
  }

  /** Whether the money reaches for all that the account pays for until this service's further term. */
  #coversUpTo(service: DueService): boolean {
    const account = lockedAccount(this.#uow, service.account_id);
    const upcoming = this.#context.upcoming.get(account.id) ?? [];
    const unpaid = upcoming.filter(({ id }) => !this.#renewed.has(id));
    const needed = renewalsCost(unpaid, paidBefore(service, this.#catalog));
    return available({ ...account, credit_limit: account.creditLimit }) >= needed;
  }

  /** What stands against a renewal now, at the price of what the service is; null: nothing does. */
  #obstacle(service: DueService): NotRenewed | null {
    const priced = priceOrder(this.#uow, this.#context.orders, this.#renewal(service), null);
    if (!('price' in priced)) return priced.kind;
    return claimFunds(this.#uow, priced.account, null, priced.price.gross)?.kind ?? null;
  }

  #renewal(service: DueService): OrderRequest {
    const term = nextTerm(service.product, service, this.#uow.now);
    const lines = this.#context.lines.get(service.id);
    const catalogs = this.#catalogs(service);
    const duration = furtherDuration(service, catalogs);
    return {
      product: service.product,
      action: 'renew',
      accountId: service.account_id,
      tokenId: null,
      serviceId: service.id,
      item: service.item,
      title: `${productOf(service.product).title} ${service.name}, renewal`,
      duration,
      unit: service.duration_unit,
      periodFrom: term.from,
      anchorDay: term.anchorDay,
      lines: (catalog) => lines?.(catalog, duration) ?? null,
      announced: catalogs.announced,
      discountCode: undefined,
      standing: recurringDiscountFrom(service),
      maxPrice: undefined,
      quoteId: undefined,
      dryRun: false,
      fingerprint: null,
      consent: null,
      automatic: true,
      settlement: isDecidedByBackend(service.product) ? 'hold' : 'charge',
    };
  }

  #renew(service: DueService): OrderOutcome['kind'] {
    const request = this.#renewal(service);
    const outcome = decideOrder(this.#uow, this.#context.orders, request);
    if (outcome.kind !== 'ordered') return outcome.kind;
    const { decidedByBackend } = productOf(service.product);
    if (decidedByBackend !== undefined) {
      decidedByBackend.orderRenewal(this.#uow, service, { order: outcome.order, years: request.duration });
      this.#change(service, {});
      return outcome.kind;
    }
    const renewed = renewService(this.#uow, this.#catalog, service.product, service, {
      order: outcome.order,
      duration: request.duration,
      unit: service.duration_unit,
      anchorDay: request.anchorDay,
      autoRenew: true,
    });
    if (renewed.state !== service.state) converge(this.#uow, service);
    return outcome.kind;
  }

  #notRenewed(service: DueService, why: NotRenewed | null): void {
    if (why === 'not_sold') this.#notSold(service);
    // Of an account that is suspended money is not what is missing. It is told if it is when the account is active again.
    if (why === 'insufficient_funds') {
      if (!service.told.includes('unpaid')) this.#unpaid(service);
      // Each time that it is tried: what one top-up did not reach for, the next one may.
      this.#topUp(service);
    }
    this.#change(service, {});
  }

  #notSold(service: DueService): void {
    if (service.told.includes('not-renewable')) return;
    noteNotified(this.#uow, service, 'not-renewable');
    this.#emit(service, {
      type: `${service.product}.not_renewable`,
      body: { expire_at: service.expire_at },
    });
    // Who was told that it became dearer knows that, and what to do about it.
    if (!service.told.includes('price-changed')) this.#mail.notRenewable(service);
  }

  #unpaid(service: DueService): void {
    this.#notifyUnpaid(service);
    this.#mail.unpaid(service, this.#price(service));
  }

  /** Notes it and says so with an event; the mail beside it is the caller's. */
  #notifyUnpaid(service: DueService): void {
    noteNotified(this.#uow, service, 'unpaid');
    this.#emit(service, {
      type: `${service.product}.unpaid`,
      body: {
        expire_at: service.expire_at,
        ...this.#renewalBody(this.#price(service)),
      },
    });
  }

  /** Has a job see whether the customer wants a balance that does not reach to be topped up. */
  #topUp({ account_id: id }: DueService): void {
    const job = balanceLowJob(id);
    // Without a threshold there is no automatic top-up.
    if (lockedAccount(this.#uow, id).lowBalanceThreshold === null) return;
    if (!this.#uow.jobs.some(({ key }) => key === job.key)) this.#uow.jobs.push(job);
  }

  #switchOff(service: DueService, why: NotRenewed | null): void {
    const deleteAt = this.#deletion(service);
    // No payment brings back what is not sold any more.
    const unpaid = service.auto_renew && why !== 'not_sold';
    if (unpaid) {
      // Set to renew itself so late that it was not tried before, or its account is suspended: it is told with the end,
      // of which there is a mail.
      if (!service.told.includes('unpaid')) this.#notifyUnpaid(service);
      if (why === 'insufficient_funds') this.#topUp(service);
      suspendUnpaid(this.#uow, service);
    }
    this.#mail.switchedOff(service, deleteAt);
    this.#expire(service, unpaid ? 'suspended' : 'expired', deleteAt, { delete_at: deleteAt });
  }

  #end(service: DueService): void {
    if (isOff(service)) {
      // Its term ended before it was cancelled: that was told, and the time that it is kept for runs.
      this.#change(service, { state: 'cancelled', ended_at: this.#uow.now });
      return;
    }
    const deleteAt = this.#deletion(service);
    this.#mail.ended(service, deleteAt);
    this.#expire(service, 'cancelled', deleteAt, { delete_at: deleteAt, ended_at: this.#uow.now });
  }

  #expire(
    service: DueService,
    state: ServiceState,
    deleteAt: Instant,
    change: Partial<LifecycleChange>,
  ): void {
    this.#emit(service, {
      type: `${service.product}.expired`,
      body: {
        expire_at: service.expire_at,
        state,
        delete_at: deleteAt,
      },
    });
    this.#change(service, { ...change, state });
    converge(this.#uow, service);
  }

  #delete(service: DueService): void {
    if (isDecidedByBackend(service.product)) {
      converge(this.#uow, service);
      // From now on money alone does not bring it back.
      this.#change(service, service.state === 'suspended' ? { state: 'expired' } : {});
      return;
    }
    this.#emit(service, { type: `${service.product}.deleted`, body: {} });
    this.#mail.deleted(service);
    this.#change(service, { state: 'deleted', ended_at: this.#uow.now });
    converge(this.#uow, service);
  }

  #deletion(service: DueService): Instant {
    return deletionAt(service, lifecycleOf(this.#catalog, service), this.#uow.now);
  }

  #catalogs({ announced_version: version }: DueService): RenewalCatalogs {
    const announced = version === null ? undefined : this.#context.announced.get(version);
    return { current: this.#catalog, announced };
  }

  #price(service: DueService): Price | null {
    const { from } = nextTerm(service.product, service, this.#uow.now);
    return renewalPrice(
      service,
      this.#context.lines.get(service.id),
      this.#catalogs(service),
      lockedAccount(this.#uow, service.account_id),
      { now: this.#uow.now, from, to: from },
    );
  }

  #renewalBody(price: Price | null) {
    return {
      renewal_minor: price === null ? null : Number(price.gross),
      currency: this.#catalog.content.currency,
    };
  }

  #emit(service: DueService, event: EventOf<EventType>): void {
    emit(this.#uow, lockedAccount(this.#uow, service.account_id), {
      ...event,
      resource: { type: service.product, id: service.id },
    });
  }

  #change(service: DueService, change: Partial<LifecycleChange>): void {
    changeService(this.#uow, service, lifecycleOf(this.#catalog, service), change);
  }
}

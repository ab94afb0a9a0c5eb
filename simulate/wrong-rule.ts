import { registerHooks } from 'node:module';

/**
 * Loaded before the program (`--import`), it puts a wrong rule into one of its files, to see that a simulation finds
 * it: SIMULATE_WRONG_RULE names one of these.
 */
const RULES: Readonly<
  Record<string, { readonly file: string; readonly right: string; readonly wrong: string }>
> = {
  // Terms lose their last days, as if every month had 28.
  'short months': {
    file: 'base/time.ts',
    right: 'Math.min(anchor, month.daysInMonth)',
    wrong: 'Math.min(anchor, 28)',
  },
  // Who does not pay is served for five more days.
  'served unpaid': {
    file: 'business/selling/subscriptions/renewal/deadlines.ts',
    right: 'return daysAfter(service.expire_at, life.grace_days);',
    wrong: 'return daysAfter(service.expire_at, life.grace_days + 5);',
  },
  // A discount is taken off a price that was rounded already.
  'rounded twice': {
    file: 'business/selling/orders/price.ts',
    right: 'const gross = charged(10_000 - request.discount);',
    wrong: 'const gross = fullGross - (fullGross * BigInt(request.discount)) / 10_000n;',
  },
  // Whatever is off is kept as long as licenses are.
  'kept alike': {
    file: 'business/selling/subscriptions/renewal/renewal-run.ts',
    right: 'deletionAt(service, lifecycleOf(this.#catalog, service)',
    wrong: "deletionAt(service, lifecycleOf(this.#catalog, { ...service, product: 'license' })",
  },
  // Who buys by the hour is given one more.
  'hours given': {
    file: 'base/time.ts',
    right: 'start.add({ hours: term.duration })',
    wrong: 'start.add({ hours: term.duration + 1 })',
  },
  // A domain is renewed at its registry for a year more than was paid for.
  'a year too many': {
    file: 'business/domains/renewal/registry-renewal.ts',
    right: '    years,\n    believedExpireAt: expireAt,',
    wrong: '    years: years + 1,\n    believedExpireAt: expireAt,',
  },
  // Who does not pay for a domain has it all the same: it is not kept from being reached.
  'never held': {
    file: 'business/domains/convergence/desired-state.ts',
    right: "wanted === 'held' ? (['clientHold'] as const) : []",
    wrong: "wanted === 'held' ? (['clientTransferProhibited'] as const) : []",
  },
  // Who gets back a part of a price is taken to have had all that they paid for.
  'earned at once': {
    file: 'operations/staff/refund.ts',
    right: "refund.basis === 'undelivered' && refund.isWhole",
    wrong: "refund.basis === 'undelivered'",
  },
  // An invoice number is lost now and then.
  'number lost': {
    file: 'business/selling/invoices/series.ts',
    right: 'SET last = s.last + excluded.last',
    wrong: 'SET last = s.last + excluded.last + (s.last % 7 = 6)::int',
  },
};

const name = process.env.SIMULATE_WRONG_RULE ?? '';
const rule = RULES[name];
if (rule === undefined) throw new Error(`there is no wrong rule ${name}`);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(`/backend/src/${rule.file}`)) return loaded;
    const source = String(loaded.source);
    if (!source.includes(rule.right)) throw new Error(`${rule.file} does not say "${rule.right}" any more`);
    return { ...loaded, source: source.replace(rule.right, rule.wrong) };
  },
});

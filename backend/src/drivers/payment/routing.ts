import { BANK, type MethodTitle, type PaymentProvider, type Payments } from './port.ts';

interface Ways {
  /** By the method's name, in the order that customers are offered them. */
  readonly providers: ReadonlyMap<string, PaymentProvider>;
  /** Of those that are set up, the ones that are offered now. */
  readonly offers: (method: string) => boolean;
  readonly transferInstructions: Payments['transferInstructions'];
}

const TRANSFER: MethodTitle = { en: 'bank transfer', de: 'Überweisung' };

/** Finds the provider of a method; bank transfers go without one. */
export function routedPayments({ providers, offers, transferInstructions }: Ways): Payments {
  const provider = (method: string) => (offers(method) ? (providers.get(method) ?? null) : null);
  return {
    methods: () => [...providers.keys(), BANK].filter(offers),
    keeps: (method) => provider(method)?.saved != null,
    title: (method) => (method === BANK ? TRANSFER : (providers.get(method)?.title ?? null)),
    transferInstructions,
    provider,
    problems: () =>
      Promise.all(
        [...providers.values()].map(async (one) => ({ title: one.title, problem: await one.problem() })),
      ),
  };
}

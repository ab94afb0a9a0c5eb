import { BANK, type PaymentProvider, type Payments } from './port.ts';

interface Ways {
  /** By the method's name, in the order that customers are offered them. */
  readonly providers: ReadonlyMap<string, PaymentProvider>;
  /** Of those that are set up, the ones that are offered now. */
  readonly offers: (method: string) => boolean;
  readonly transferInstructions: Payments['transferInstructions'];
}

/** Finds the provider of a method; bank transfers go without one. */
export function routedPayments({ providers, offers, transferInstructions }: Ways): Payments {
  return {
    methods: () => [...providers.keys(), BANK].filter(offers),
    transferInstructions,
    provider: (method) => (offers(method) ? (providers.get(method) ?? null) : null),
  };
}

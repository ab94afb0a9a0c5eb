import type { QueryPorts } from '../../../drivers/ports.ts';
import type { DomainAvailability, TransferObstacle } from '../../../drivers/registry/port.ts';
import type { Tld } from '../../core/catalog/schema/tld.ts';

/** What a registry said of a name that is ordered; null: nothing. */
export type RegistryAnswer = DomainAvailability | null;

/** A name that can be ordered, with what its TLD's registry is like. */
export interface OrderedName {
  readonly name: string;
  readonly tld: Tld;
}

/** What registries said of an order's name before its transaction began. */
export interface Asked {
  readonly answer: RegistryAnswer;
  /** What stands against a transfer, as far as it is known; its task may still find out more. */
  readonly obstacle: TransferObstacle | null;
}

/** Asks the registries about names that are ordered; one answer each, in order. */
export async function askRegistries(
  { registry }: Pick<QueryPorts, 'registry'>,
  orders: readonly {
    readonly named: OrderedName;
    readonly input: { readonly authcode?: string | undefined };
  }[],
): Promise<readonly Asked[]> {
  const questions = orders.map(({ named: { name, tld } }) => ({
    domain: name,
    tld: tld.tld,
    registry: tld.registry,
  }));
  const transfers = questions.flatMap((question, at) => {
    const authcode = orders[at]?.input.authcode;
    return authcode === undefined ? [] : [{ ...question, authcode }];
  });
  const [answers, obstacles] = await Promise.all([
    registry.check(questions),
    registry.transferObstacles(transfers),
  ]);
  const against = new Map(transfers.map(({ domain }, at) => [domain, obstacles[at] ?? null]));
  return questions.map(({ domain }, at) => ({
    answer: answers[at] ?? null,
    obstacle: against.get(domain) ?? null,
  }));
}

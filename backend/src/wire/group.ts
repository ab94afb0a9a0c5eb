import type { Operation } from '../operation.ts';

interface Group {
  readonly title: string;
  readonly description: string;
}

/** The groups of operations, in the order that documents list them. */
export const GROUPS: Readonly<Record<string, Group>> = {
  account: {
    title: 'Account',
    description: 'The customer account: log-in, tokens, balance and transactions.',
  },
  domain: { title: 'Domains', description: 'Search, order and manage domains.' },
  server: { title: 'Servers', description: 'Order and run virtual servers.' },
  webspace: { title: 'Webspaces', description: 'Order and manage webspaces.' },
  panel: { title: 'Licenses', description: 'Order, bind, renew and validate licenses.' },
  ticket: { title: 'Tickets', description: 'Questions to the provider and its answers.' },
  task: { title: 'Tasks', description: 'Work that goes on after an answer of 202.' },
  tools: { title: 'Tools', description: 'Small helps: identifiers, bank accounts, networks, WHOIS.' },
  staff: { title: 'Staff', description: "For the provider's operators only." },
};

export function groupOf(operation: Operation): string {
  return operation.path.slice(0, operation.path.indexOf('/'));
}

/** Operations by group, groups in the order of {@link GROUPS} and operations by path. */
export function byGroup(
  operations: readonly Operation[],
): readonly (readonly [string, readonly Operation[]])[] {
  const groups = Map.groupBy(operations, groupOf);
  const order = Object.keys(GROUPS);
  return [...groups]
    .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
    .map(([group, members]) => [group, members.toSorted((a, b) => (a.path < b.path ? -1 : 1))]);
}

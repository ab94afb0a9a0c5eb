import type { Caller, Operation } from '../operation.ts';

/**
 * The answer as its caller may see it: an operator in a customer's place gets an empty text for everything that
 * the operation declares a secret, such as a license key or a server's password.
 */
export function shownTo(caller: Caller | null, operation: Operation, data: unknown): unknown {
  if (caller === null || caller.impersonatedBy === null || operation.secrets.length === 0) return data;
  return withoutSecrets(data, new Set(operation.secrets));
}

function withoutSecrets(value: unknown, secrets: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secrets.has(name) && member !== null ? '' : withoutSecrets(member, secrets),
    ]),
  );
}

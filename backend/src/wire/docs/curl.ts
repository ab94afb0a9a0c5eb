import type { Operation } from '../../operation.ts';

export interface Example {
  readonly title: string;
  readonly command: string;
}

/** Commands that call an operation with its example; `$TOKEN` is the caller's. Both forms of a GET. */
export function curlExamples(operation: Operation, base: string): readonly Example[] {
  const input = operation.example.input as Readonly<Record<string, unknown>>;
  const url = `${base}/${operation.path}`;
  const token = operation.audience === 'public' ? [] : [`-H "Authorization: Bearer $TOKEN"`];
  const body = ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(input))}`];
  if (operation.method === 'POST')
    return [{ title: 'Request', command: command([quoted(url), ...token, ...body]) }];
  const query = queryOf(input);
  if (Object.keys(input).length === 0) {
    return [{ title: 'Request', command: command([quoted(url), ...token]) }];
  }
  const withBody = {
    title: 'With a JSON body',
    command: command([`-X GET ${quoted(url)}`, ...token, ...body]),
  };
  if (query === null) return [withBody];
  return [{ title: 'With a query', command: command([quoted(`${url}?${query}`), ...token]) }, withBody];
}

function command(parts: readonly string[]): string {
  return `curl ${parts.join(' \\\n  ')}`;
}

/** For a POSIX shell, which takes everything between single quotes as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** null: objects fit into no query. */
function queryOf(input: Readonly<Record<string, unknown>>): string | null {
  const pairs = Object.entries(input).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item: unknown) => [name, item] as const),
  );
  if (pairs.some(([, value]) => typeof value === 'object')) return null;
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
}

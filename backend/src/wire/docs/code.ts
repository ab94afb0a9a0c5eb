import type { Operation } from '../../operation.ts';

/** A whole program, or command, that calls an operation. */
export interface Code {
  readonly language: string;
  readonly text: string;
}

type Value = Readonly<Record<string, unknown>>;

interface Request {
  readonly operation: Operation;
  /** With the query, where the input is in it. */
  readonly url: string;
  /** null: it has none. */
  readonly body: Value | null;
}

/**
 * What calls an operation with its example, in each language. Each takes the caller's token from the environment
 * variable `TOKEN`, sends a new `Idempotency-Key` where the operation heeds it, and needs nothing but the language.
 */
export function codeExamples(operation: Operation, base: string): readonly Code[] {
  const input = operation.example.input as Value;
  const url = `${base}/${operation.path}`;
  if (operation.method === 'POST') return inEachLanguage({ operation, url, body: input });
  if (Object.keys(input).length === 0) return inEachLanguage({ operation, url, body: null });
  const withBody = { language: 'curl, with a JSON body', text: curl({ operation, url, body: input }) };
  const query = queryOf(input);
  if (query === null) return [withBody];
  return [...inEachLanguage({ operation, url: `${url}?${query}`, body: null }), withBody];
}

function inEachLanguage(request: Request): readonly Code[] {
  return [
    { language: 'curl', text: curl(request) },
    { language: 'TypeScript', text: typeScript(request) },
    { language: 'Python', text: python(request) },
  ];
}

/** null: a query has no place for objects. */
function queryOf(input: Value): string | null {
  const pairs = Object.entries(input).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item: unknown) => [name, item] as const),
  );
  if (pairs.some(([, value]) => typeof value === 'object')) return null;
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
}

function curl({ operation, url, body }: Request): string {
  const options = [
    ...(operation.method === 'GET' && body !== null ? [`-X GET ${shellQuoted(url)}`] : [shellQuoted(url)]),
    ...(needsToken(operation) ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(operation.idempotent ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === null
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${shellQuoted(JSON.stringify(body))}`]),
  ];
  return `curl ${options.join(' \\\n  ')}`;
}

/** A POSIX shell takes everything between single quotes as it is. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** For Node, Bun, Deno and browsers. */
function typeScript({ operation, url, body }: Request): string {
  const headers = [
    ...(needsToken(operation) ? [`Authorization: \`Bearer \${process.env.TOKEN}\``] : []),
    ...(operation.idempotent ? ["'Idempotency-Key': crypto.randomUUID()"] : []),
    ...(body === null ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const options = [
    ...(body === null ? [] : [`method: '${operation.method}'`]),
    ...(headers.length === 0 ? [] : [inBraces('headers: {', headers, '}', '  ')]),
    ...(body === null ? [] : [`body: JSON.stringify(${literal(body, TYPESCRIPT, '  ')})`]),
  ];
  const address = JSON.stringify(url);
  return `const response = await fetch(${options.length === 0 ? address : inBraces(`${address}, {`, options, '}', '')});
const answer: any = await response.json();
if (!response.ok) throw new Error(\`\${answer.error}: \${answer.response}\`);
console.log(answer.data);`;
}

/** With the standard library of Python 3. */
function python({ operation, url, body }: Request): string {
  const headers = [
    ...(needsToken(operation) ? [`"Authorization": "Bearer " + os.environ["TOKEN"]`] : []),
    ...(operation.idempotent ? ['"Idempotency-Key": str(uuid.uuid4())'] : []),
    ...(body === null ? [] : ['"Content-Type": "application/json"']),
  ];
  const parameters = [
    JSON.stringify(url),
    ...(headers.length === 0 ? [] : [inBraces('headers={', headers, '}', '    ')]),
    ...(body === null ? [] : [`data=json.dumps(${literal(body, PYTHON, '    ')}).encode()`]),
  ];
  const modules = [
    'json',
    ...(needsToken(operation) ? ['os'] : []),
    'urllib.error',
    'urllib.request',
    ...(operation.idempotent ? ['uuid'] : []),
  ];
  return `${modules.map((module) => `import ${module}`).join('\n')}

request = ${inBraces('urllib.request.Request(', parameters, ')', '', '    ')}
try:
    with urllib.request.urlopen(request) as response:
        print(json.load(response)["data"])
except urllib.error.HTTPError as error:
    answer = json.load(error)
    raise SystemExit(f"{answer['error']}: {answer['response']}")`;
}

function needsToken(operation: Operation): boolean {
  return operation.audience !== 'public';
}

interface Notation {
  readonly indent: string;
  readonly key: (name: string) => string;
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
}

const TYPESCRIPT: Notation = {
  indent: '  ',
  key: (name) => (/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)),
  words: { true: 'true', false: 'false', null: 'null' },
};

const PYTHON: Notation = {
  indent: '    ',
  key: (name) => JSON.stringify(name),
  words: { true: 'True', false: 'False', null: 'None' },
};

/** A value of JSON as a literal. Texts and numbers of JSON are such in both languages. */
function literal(value: unknown, notation: Notation, indent: string): string {
  const deeper = `${indent}${notation.indent}`;
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, notation, deeper));
    return items.length === 0 ? '[]' : inBraces('[', items, ']', indent, notation.indent);
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${notation.key(name)}: ${literal(member, notation, deeper)}`,
    );
    return members.length === 0 ? '{}' : inBraces('{', members, '}', indent, notation.indent);
  }
  const text = JSON.stringify(value);
  return text === 'true' || text === 'false' || text === 'null' ? notation.words[text] : text;
}

/** Each part on a line of its own, with a comma behind it. */
function inBraces(
  open: string,
  parts: readonly string[],
  close: string,
  indent: string,
  step = indent.length === 4 ? '    ' : '  ',
): string {
  return `${open}\n${parts.map((part) => `${indent}${step}${part},\n`).join('')}${indent}${close}`;
}

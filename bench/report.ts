import type { Result } from './judge.ts';
import type { Measurement } from './measurement.ts';

export interface Report {
  readonly date: string;
  readonly machine: string;
  /** The machine's load average when the run began: above a few tenths, others were at work and p99 is theirs too. */
  readonly busyBefore: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly licenses: number;
  /** The most that an API process held, in megabytes. */
  readonly memory: number;
  readonly memoryLimit: number;
  readonly books: readonly (readonly [string, boolean])[];
  readonly results: readonly Result[];
}

const HEAD = [
  'case',
  'connections',
  'hostkeep /s',
  'baseline /s',
  'ratio',
  'limit',
  'verdict',
  'p50 ms',
  'p99 ms',
];

/** The comparison, one case a line; `p50` and `p99` are Hostkeep's and the baseline's. */
export function table(results: readonly Result[]): string {
  return aligned([HEAD, ...results.map(row)]);
}

function row({ name, connections, ours, theirs, ratio, limit, verdict }: Result): string[] {
  return [
    name,
    String(connections),
    count(ours.perSecond),
    count(theirs.perSecond),
    ratio.toFixed(2),
    limit === null ? '–' : `≥ ${limit}`,
    verdict,
    `${milliseconds(ours.p50)} / ${milliseconds(theirs.p50)}`,
    `${milliseconds(ours.p99)} / ${milliseconds(theirs.p99)}`,
  ];
}

const CPU_HEAD = [
  'case',
  'connections',
  'hostkeep: program',
  'PostgreSQL',
  'client',
  'baseline: program',
  'PostgreSQL',
  'client',
];

function cpuTable(results: readonly Result[]): string {
  const figures = ({ cpu }: Measurement) =>
    cpu === null ? ['–', '–', '–'] : [cpu.program, cpu.postgres, cpu.client].map((time) => time.toFixed(0));
  const rows = results.map((result) => [
    result.name,
    String(result.connections),
    ...figures(result.ours),
    ...figures(result.theirs),
  ]);
  return aligned([CPU_HEAD, ...rows]);
}

/** The whole report, for people at a terminal or as a page of the reference. */
export function write(report: Report, form: 'terminal' | 'markdown'): string {
  const { memory, memoryLimit, results, books } = report;
  const memoryLine = `Resident memory of the API process under load: ${memory.toFixed(0)} MB, limit ${memoryLimit} MB: ${
    memory <= memoryLimit ? 'met' : 'MISSED'
  }.`;
  const missed = results.filter((result) => /MISSED|VOID/.test(result.verdict));
  const summary =
    missed.length === 0
      ? 'Every limit is met.'
      : `Missed: ${missed.map((result) => `${result.name} at ${result.connections} (${result.ratio.toFixed(2)}, ${result.verdict})`).join('; ')}.`;
  const broken = books.filter(([, held]) => !held).map(([what]) => what);
  const bookLine =
    broken.length === 0
      ? `After all orders of both sides: ${books.map(([what]) => what).join('; ')}.`
      : `The books are WRONG after the orders; not true: ${broken.join('; ')}.`;
  const body = [
    table(results),
    memoryLine,
    summary,
    bookLine,
    'Processor time per request, in microseconds:',
    cpuTable(results),
  ];
  if (form === 'terminal') return `${body.join('\n\n')}\n`;
  return `${intro(report)}\n${body.join('\n\n')}\n`;
}

function intro({ date, machine, busyBefore, rounds, seconds, licenses }: Report): string {
  return `# Performance

Made by \`npm run bench\` on ${date}: ${machine}. The load generator, the program and PostgreSQL share the machine.
Figures are medians of ${rounds} rounds of ${seconds} s; the two sides take turns. Durable settings, as an installation
gets them; rates counted, metrics, audit and logs on. The machine's load average before the run was
${busyBefore.toFixed(1)}.

- **panel/details, server/config** against a minimal \`node:http\` program with one prepared look-up of the token and
  one prepared select of the row, which sends the same bytes (compared before the run).
- **panel/order** over HTTP against clients that talk to PostgreSQL directly and write the same rows by one prepared
  statement per order, without HTTP, validation, token check, rates or sealing.
- **account/transactions** of a customer with 1,000,000 of 10,000,000 ledger lines, 25 a page, against the first page
  without a filter. Filters by service, by rare types and by direction are served by indexes; for orders, renewals and
  search, the sums of all that matches are made from all of the customer's lines.
- **many licenses**: Hostkeep with ${licenses.toLocaleString('en')} licenses against Hostkeep with 1,000.
- The baseline's pool is the fastest of 4, 8, 16 and 32 connections, chosen anew for each case.
- 10,000 accounts, 1,000 tokens; every request takes a token and a uuid at random. \`ratio\` is Hostkeep's throughput
  over the baseline's. A limit counts as missed, too, when Hostkeep's p99 is above twice the baseline's.
`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function milliseconds(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(1);
}

export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => (cells[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const [head = [], ...body] = rows;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...body.map(line)].join('\n');
}

import { ERRORS } from '../backend/src/errors.ts';
import type { Operation } from '../backend/src/operation.ts';
import { operations } from '../backend/src/operations.generated.ts';
import { EVENTS } from '../backend/src/unit-of-work/event.ts';
import { byGroup, GROUPS } from '../backend/src/wire/group.ts';
import type { GeneratedFile } from './generated-file.ts';

const CALLERS = {
  public: '',
  customer: '',
  staff: ' (operators)',
  person: ' (customers and operators)',
} as const;
const MADE = '<!-- Made by `npm run generate` from the definitions. Do not edit. -->\n';

/** The pages of operations, errors and events, from the definitions. */
export function reference(): GeneratedFile[] {
  const narrow = operations
    .filter(
      ({ path, audience, wholeAccount, security }) =>
        path.startsWith('account/') && audience !== 'public' && !wholeAccount && !security,
    )
    .map(({ path }) => path);
  return [
    {
      name: 'docs/reference/operations.md',
      text: page(
        'Operations',
        'Every running installation shows all fields and errors of each at `/docs`; `api/openapi.json` holds the same for programs. Any operation may also answer with the errors that belong to no operation in particular: see [errors](errors.md).\n\n' +
          `Of \`account/\`, tokens with a \`resource_allowlist\` may call ${narrow.map(code).join(', ')}, which keep to those things, and no other (\`token_restricted\`).`,
        byGroup(operations)
          .map(
            ([group, members]) =>
              `## ${GROUPS[group]?.title ?? group}\n\n${GROUPS[group]?.description ?? ''}\n\n${table(
                ['Operation', 'Method', 'Scope', 'What for', 'Its own errors'],
                members.map((operation) => [
                  code(operation.path),
                  operation.method,
                  scopeOf(operation),
                  operation.summary,
                  operation.errors.map(code).join(', '),
                ]),
              )}`,
          )
          .join('\n'),
      ),
    },

    {
      name: 'docs/reference/errors.md',
      text: page(
        'Errors',
        'Clients decide on `error` alone. Words in braces stand for members of the error body.',
        table(
          ['Error', 'Status', 'May succeed later', 'Text'],
          Object.entries(ERRORS).map(([name, error]) => [
            code(name),
            String(error.status),
            error.retryable === true ? 'yes' : '',
            error.en,
          ]),
        ),
      ),
    },

    {
      name: 'docs/reference/events.md',
      text: page(
        'Events',
        'What an account’s event log can hold. `sequence` grows by one per account, without gaps.',
        table(
          ['Type', 'When', 'Members of its body'],
          Object.entries(EVENTS).map(([type, { when, body }]) => [
            code(type),
            when,
            body.map(code).join(', '),
          ]),
        ),
      ),
    },
  ];
}

function scopeOf({ audience, scope }: Operation): string {
  return scope === null ? 'none: public' : `${code(scope)}${CALLERS[audience]}`;
}

function page(title: string, lead: string, body: string): string {
  return `# ${title}\n\n${MADE}\n${lead}\n\n${body}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |\n`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;');
}

function code(text: string): string {
  return `\`${text}\``;
}

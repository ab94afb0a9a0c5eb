import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isKnownProblemText, problemText } from './problem-text.ts';

const SOURCE = new URL('./', import.meta.url);
/** Where what is wrong with a request is put into words. */
const WORDED = [
  'api/**/*.ts',
  'base/{domain-name.ts,dns/*.ts}',
  'business/{dns,domains}/**/*.ts',
  'operations/**/*.ts',
  'wire/input.ts',
];
/** A text, or a template. */
const TEXT = /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
const SENTENCE = /^(?:[A-Z$*]|alpn |ech |ipv|iodef |mandatory |no-default|dohpath ).* .*[.:?}]$/s;

/** Every sentence that is said of a field, as the source has it, with `{}` for its gaps. */
function sentences(): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of WORDED.flatMap((pattern) => globSync(pattern, { cwd: SOURCE }))) {
    if (file.includes('.test.')) continue;
    const source = readFileSync(new URL(file, SOURCE), 'utf8');
    for (const match of source.matchAll(TEXT)) {
      const text = (match[1] ?? match[2] ?? '').replaceAll("\\'", "'").replaceAll('\\\\', '\\');
      if (!SENTENCE.test(text)) continue;
      const before = source.slice(0, match.index);
      // The call or member that it stands in.
      const said = before.slice(
        Math.max(before.lastIndexOf(';'), before.lastIndexOf('\n\n'), match.index - 400),
      );
      const own =
        /(?:\bfail\(|fieldProblem\(|[Pp]roblem\(|notAllowed\(|\brefuse\(|\bwarn\(|warningAt\(|\.(?:min|max|regex|refine|length)\()(?:[^()]|\([^()]*\))*$/;
      const member = /\b(?:message|error)[:=]? *=? *(?:\n *)?$/;
      if (own.test(said) || (member.test(said) && !/example/.test(said)))
        found.set(text.replaceAll(/\$\{[^}]*\}/g, '{}'), file);
    }
  }
  return found;
}

test('every text that is said of a field is there in German', () => {
  const all = sentences();
  assert.ok(all.size > 150, `${all.size} texts`);
  const missing = [...all]
    .filter(([text]) => !isKnownProblemText(text))
    .map(([text, file]) => `${file}: ${text}`);
  assert.deepEqual(missing, []);
});

test('what a text fills in stays as it is, and a text in a text is translated too', () => {
  assert.equal(problemText('At most 40 characters.', 'de'), 'Höchstens 40 Zeichen.');
  assert.equal(problemText('At most 40 characters.', 'en'), 'At most 40 characters.');
  assert.equal(problemText('Line 7: The type is missing.', 'de'), 'Zeile 7: Der Typ fehlt.');
  assert.equal(
    problemText('VAT numbers in AT begin with ATU.', 'de'),
    'Umsatzsteuer-Identifikationsnummern in AT beginnen mit ATU.',
  );
  assert.equal(problemText('Nothing knows this text.', 'de'), 'Nothing knows this text.');
});

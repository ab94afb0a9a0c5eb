import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BAD_FILES, FILES } from '../../../../test/tickets.ts';
import { contentTypeOf } from './content-type.ts';

test('what may be attached is known by its content', () => {
  const types = Object.entries(FILES).map(([name, content]) => contentTypeOf(name, content));
  assert.deepEqual(types, [
    'image/png',
    'image/jpeg',
    'image/gif',
    'image/webp',
    'application/pdf',
    'application/zip',
    'application/gzip',
    'text/plain',
    'text/plain',
    'text/csv',
  ]);
});

test('a name says nothing of what has a signature', () => {
  assert.equal(contentTypeOf('page.html', FILES['dot.png']), 'image/png');
  assert.equal(contentTypeOf('notes.txt', FILES['page.pdf']), 'application/pdf');
});

for (const [name, content] of Object.entries(BAD_FILES))
  test(`${name} may not be attached`, () => {
    assert.equal(contentTypeOf(name, content), null);
  });

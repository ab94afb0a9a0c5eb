import { about, fail } from './fault.ts';
import { requireCleanText } from './presentation.ts';

export const MOST_COMMENT_CHARACTERS = 255;

/** A comment as it is kept: without spaces around it, null for none. Fails for what is not one line of text. */
export function readComment(written: string | null | undefined): string | null {
  const comment = written?.trim() ?? '';
  if (comment.length > MOST_COMMENT_CHARACTERS) {
    fail('too_long', 'The comment is too long.', { limit: MOST_COMMENT_CHARACTERS }, 'comment');
  }
  about('comment', () => requireCleanText(comment));
  return comment === '' ? null : comment;
}

import { z } from 'zod';
import type { Catalog } from '../business/core/catalog/schema/schema.ts';
import { downloadLink, type LinkContext } from '../business/core/downloads/ticket.ts';
import {
  type Attachment,
  type CheckedFile,
  checkFiles,
  LONGEST_FILENAME,
  MOST_BYTES,
  MOST_FILES,
} from '../business/support/attachments/attachment.ts';
import { ATTACHABLE } from '../business/support/attachments/content-type.ts';
import type { Refusal, RefusalDetail } from '../errors.ts';
import { uuid } from './field.ts';
import { line } from './text.ts';

/** Requests with files may be larger than others. */
export const FILES_BODY_LIMIT = 16 * 1024 * 1024;

export const attachmentsInput = z
  .array(
    z.strictObject({
      filename: line(LONGEST_FILENAME).refine(
        (name) => !/[/\\]/.test(name),
        'This must be a name without a path.',
      ),
      content_type: z.string().max(100).describe('What it is taken for is decided by its content.'),
      content_base64: z.string().min(1).describe('RFC 4648 §4, with padding.'),
    }),
  )
  .max(MOST_FILES)
  .default([])
  .describe(
    `At most ${MOST_FILES} files of together ${MOST_BYTES / 1024 / 1024} MiB: ${ATTACHABLE.join(', ')}.`,
  );

export const attachment = z.object({
  uuid,
  filename: z.string(),
  content_type: z.string(),
  size: z.int().describe('Bytes'),
  sha256: z.string(),
  url: z.string().describe('Good for 15 minutes.'),
});

export const ATTACHMENT_ERRORS = ['validation_failed', 'payload_too_large'] as const;
type Refuser = { refusal(code: (typeof ATTACHMENT_ERRORS)[number], detail?: RefusalDetail): Refusal };

/** The files of a request as they may be kept, or the refusal that says which may not. */
export function filesOf(ctx: Refuser, given: z.output<typeof attachmentsInput>): readonly CheckedFile[] {
  const contents = given.map(({ content_base64 }) => decoded(content_base64));
  const unreadable = contents.flatMap((content, index) => (content === null ? [index] : []));
  if (unreadable.length > 0)
    throw ctx.refusal(
      'validation_failed',
      problems(unreadable, 'content_base64', 'invalid_format', 'This must be Base 64.'),
    );
  const outcome = checkFiles(
    given.map(({ filename }, index) => ({ filename, content: contents[index] ?? Buffer.alloc(0) })),
  );
  switch (outcome.kind) {
    case 'checked':
      return outcome.files;
    case 'refused':
      throw ctx.refusal(
        'validation_failed',
        problems(
          outcome.positions,
          'content_base64',
          'not_allowed',
          'Files of this kind cannot be attached.',
        ),
      );
    case 'too_many':
    case 'too_large':
      throw ctx.refusal('payload_too_large', { members: { limit: MOST_BYTES } });
  }
}

/** Refuses files of a customer that do not fit into what is kept of their account's tickets. */
export function mustFitAccount(
  ctx: { refusal(code: 'limit_reached', detail?: RefusalDetail): Refusal },
  fit: boolean,
  { support }: Pick<Catalog, 'support'>,
): void {
  if (!fit)
    throw ctx.refusal('limit_reached', {
      members: { limit: support.files_mib, limited: 'MiB of attachments' },
    });
}

/** Strictly: Buffer would pass over what is none. */
function decoded(text: string): Buffer | null {
  const content = Buffer.from(text, 'base64');
  return content.toString('base64') === text ? content : null;
}

function problems(
  indexes: readonly number[],
  field: string,
  error: 'invalid_format' | 'not_allowed',
  message: string,
): RefusalDetail {
  const pointers = indexes.map((index) => `/attachments/${index}/${field}`);
  return {
    errors: pointers.map((pointer) => ({
      pointer,
      error,
      message,
      ...(error === 'not_allowed' ? { allowed: ATTACHABLE } : {}),
    })),
    members: { fields: pointers },
  };
}

export function wireAttachment(ctx: LinkContext, one: Attachment): z.input<typeof attachment> {
  return {
    uuid: one.id,
    filename: one.filename,
    content_type: one.content_type,
    size: one.size,
    sha256: one.sha256.toString('hex'),
    url: downloadLink(ctx, { kind: 'ticket_attachment', id: one.id, accountId: one.account_id }),
  };
}

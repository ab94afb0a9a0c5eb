import type { Instant } from '../../../base/time.ts';
import { statement } from '../../../db/statement.ts';
import type { Books } from './books.ts';
import type { PollCommands, PolledMessage, TransferInfo } from './commands.ts';
import { failure, success } from './reply.ts';

/** As the message was kept: moments as text. */
type Kept<T> = {
  readonly [Key in keyof T]: T[Key] extends Instant
    ? string
    : T[Key] extends Instant | null
      ? string | null
      : T[Key];
};
type KeptAbout =
  | { readonly kind: 'transfer'; readonly transfer: Kept<TransferInfo> }
  | Kept<Extract<PolledMessage['about'], { kind: 'domain' }>>;

const oldest = statement<{ id: bigint; at: Instant; text: string; about: KeptAbout; count: bigint }>(
  'sandbox_registry_oldest_message',
  `SELECT id, at, text, about,
     (SELECT count(*) FROM sandbox.registry_messages WHERE registrar = $1) AS count
   FROM sandbox.registry_messages WHERE registrar = $1 ORDER BY id LIMIT 1`,
);
const remove = statement<{ id: bigint }>(
  'sandbox_registry_remove_message',
  'DELETE FROM sandbox.registry_messages WHERE id = $1 AND registrar = $2 RETURNING id',
);

/** Whoever asks for messages gets those of everything that happened by itself until now. */
export function pollCommands(books: Books, registrar: string): PollCommands {
  return {
    async request() {
      await books.sweep();
      const [row] = await books.db.run(oldest, [registrar]);
      if (row === undefined) return success({ count: 0, message: null }, 1300);
      const { id, at, text, about, count } = row;
      return success(
        { count: Number(count), message: { id: String(id), at, text, about: read(about) } },
        1301,
      );
    },

    async acknowledge(id) {
      const gone = /^[0-9]{1,18}$/.test(id) ? await books.db.run(remove, [BigInt(id), registrar]) : [];
      if (gone.length === 0) return failure(2303, 'message', `there is no message ${id}`);
      const [next] = await books.db.run(oldest, [registrar]);
      return success({
        count: Number(next?.count ?? 0n),
        nextId: next === undefined ? null : String(next.id),
      });
    },
  };
}

function read(about: KeptAbout): PolledMessage['about'] {
  const moment = (text: string | null) => (text === null ? null : Temporal.Instant.from(text));
  if (about.kind === 'domain') return { ...about, expireAt: moment(about.expireAt) };
  const { requestedAt, actAt, expireAt, ...rest } = about.transfer;
  return {
    kind: 'transfer',
    transfer: {
      ...rest,
      requestedAt: Temporal.Instant.from(requestedAt),
      actAt: Temporal.Instant.from(actAt),
      expireAt: moment(expireAt),
    },
  };
}

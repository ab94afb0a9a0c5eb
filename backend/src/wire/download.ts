import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../base/clock.ts';
import type { Sealer } from '../base/seal.ts';
import {
  DOWNLOAD_PATH,
  type Download,
  type DownloadKind,
  openTicket,
} from '../business/core/downloads/ticket.ts';
import { exportFile } from '../business/exports/download.ts';
import { invoiceFile } from '../business/selling/invoices/document.ts';
import { attachmentFile } from '../business/support/attachments/download.ts';
import type { Pool } from '../db/pool.ts';
import type { StorageQueries } from '../drivers/storage/port.ts';
import { Refusal } from '../errors.ts';
import { addressOf } from './http.ts';
import { knows, StaticAnswer } from './static-answer.ts';

export interface DownloadOptions {
  /** Of the writes: what is made at its first download is kept. */
  readonly pool: Pool;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly storage: StorageQueries;
  /** Counts a request by where it comes from; refuses it after too many. */
  readonly countStranger: (ip: string) => Promise<void>;
}

/** What a browser gets to save. */
export interface File {
  /** Without a path. */
  readonly name: string;
  readonly contentType: string;
  /** Whole, or in pieces where it may be large. */
  readonly content: Buffer | AsyncIterable<Buffer>;
  /** Of a file that may come in pieces: another one for other content. */
  readonly tag?: string;
}

/** The file that a ticket stands for; null when the account has no such thing, or no longer. */
type Source = (options: DownloadOptions, download: Download) => Promise<File | null>;

/** Everything that can be downloaded. */
const SOURCES: { readonly [Kind in DownloadKind]: Source } = {
  invoice_pdf: ({ pool, clock }, found) => invoiceFile(pool, { ...found, format: 'pdf' }, clock.now()),
  invoice_xml: ({ pool, clock }, found) => invoiceFile(pool, { ...found, format: 'xml' }, clock.now()),
  export: ({ pool, clock }, found) => exportFile(pool, found, clock.now()),
  ticket_attachment: ({ pool, storage }, found) => attachmentFile(pool, storage, found),
};

/**
 * `GET /download/<ticket>`: the ticket is the permission (business/core/downloads/ticket.ts). Expired, forged and
 * foreign tickets look the same, and like nothing.
 */
export function addDownloadRoute(app: FastifyInstance, options: DownloadOptions): void {
  app.get<{ Params: { ticket: string } }>(`${DOWNLOAD_PATH}/:ticket`, async (request, reply) => {
    await options.countStranger(addressOf(request));
    const download = openTicket(options.sealer, request.params.ticket, options.clock.now());
    const file = download === null ? null : await SOURCES[download.kind](options, download);
    if (file === null) throw new Refusal('not_found');
    const headers = {
      'content-type': file.contentType,
      'content-disposition': attachmentDisposition(file.name),
      // Should a browser show it after all, nothing in it runs.
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    };
    if (Buffer.isBuffer(file.content)) return new StaticAnswer(file.content, headers).send(request, reply);
    reply.headers(headers);
    // One that is a stream itself is closed with the answer, also when nothing of it is read.
    const content = file.content instanceof Readable ? file.content : Readable.from(file.content);
    if (file.tag === undefined) return reply.send(content);
    const tag = `"${file.tag}"`;
    reply.header('etag', tag);
    if (!knows(request.headers['if-none-match'], tag)) return reply.send(content);
    content.destroy();
    return reply.code(304).send();
  });
}

/** To be saved under this name (RFC 6266), which may be in any script. */
function attachmentDisposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  if (plain === name) return `attachment; filename="${plain}"`;
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { CONSOLE_PATH } from '../../business/servers/consoles/ticket.ts';
import { Refusal } from '../../errors.ts';
import { localeOf } from '../request.ts';
import { readNovnc } from './novnc.ts';
import { consolePage } from './page.ts';

const YEAR_SECONDS = 365 * 24 * 3600;
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

/**
 * `GET /console`, the page that shows a console, and the files that it loads: ours and noVNC's, below an address that
 * changes whenever one of them does. Nothing else is served, and nothing else may run in it.
 */
export function addConsolePage(app: FastifyInstance, publicUrl: () => string): void {
  const files = consoleFiles();
  const root = `${CONSOLE_PATH}/${digestOf(files)}`;
  // Relative, so that it works below whatever path a proxy serves it at.
  const below = `.${root}`;

  app.get(CONSOLE_PATH, (request, reply) =>
    common(reply)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', policy(publicUrl()))
      .send(
        consolePage(localeOf(request.headers['accept-language']), {
          script: `${below}/page/page.js`,
          style: `${below}/page/page.css`,
        }),
      ),
  );

  app.get<{ Params: { '*': string } }>(`${root}/*`, (request, reply) => {
    const name = request.params['*'];
    const content = files.get(name);
    if (content === undefined) throw new Refusal('operation_not_found');
    return common(reply)
      .type(TYPES[name.replace(/^.*\./, '')] ?? 'application/octet-stream')
      .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
      .send(content);
  });
}

function common(reply: FastifyReply): FastifyReply {
  return reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer');
}

function consoleFiles(): ReadonlyMap<string, Buffer> {
  const own = ['page.css', 'page.js'].map(
    (name) => [`page/${name}`, readFileSync(new URL(name, import.meta.url))] as const,
  );
  const theirs = [...readNovnc()].map(([name, content]) => [`novnc/${name}`, content] as const);
  return new Map([...own, ...theirs]);
}

function digestOf(files: ReadonlyMap<string, Buffer>): string {
  const digest = createHash('sha256');
  for (const [name, content] of files) digest.update(name).update('\0').update(content);
  return digest.digest('hex').slice(0, 16);
}

/** noVNC draws pictures and the pointer from data: addresses. Not every browser takes WebSockets for a part of 'self'. */
function policy(publicUrl: string): string {
  const socket = new URL(publicUrl).origin.replace(/^http/, 'ws');
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ${socket}; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  );
}

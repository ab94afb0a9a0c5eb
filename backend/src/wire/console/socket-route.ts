import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ConsoleSession } from '../../business/servers/consoles/session.ts';
import {
  CONSOLE_PROTOCOL,
  CONSOLE_SOCKET_PATH,
  ticketAmong,
} from '../../business/servers/consoles/ticket.ts';
import { Refusal } from '../../errors.ts';
import { addressOf } from '../http.ts';
import { refuseConnection } from '../refused-connection.ts';
import type { Consoles } from './consoles.ts';

/** What a viewer may say at once: texts that are pasted are the longest. */
const LONGEST_MESSAGE = 1024 * 1024;
const VERSION = 13;
const UPGRADE = { upgrade: 'websocket', connection: 'upgrade', 'sec-websocket-version': String(VERSION) };
/** Of 16 octets, in base64. */
const KEY = /^[+/0-9A-Za-z]{22}==$/;
const TICKET = /^[\w-]{43}$/;

export interface ConsoleSocketOptions {
  readonly consoles: Consoles;
  readonly publicUrl: () => string;
  /** Of pages that may open consoles, beside our own. */
  readonly origins: readonly string[];
  /** Counts whoever comes without a ticket that is good, and refuses them when they came too often. */
  readonly countStranger: (ip: string) => Promise<void>;
}

interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Whether a request wants the connection for a console. Any other one to upgrade is answered as if it did not. */
export function isConsoleUpgrade({ url, headers }: IncomingMessage): boolean {
  return url?.split('?')[0] === CONSOLE_SOCKET_PATH && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * `GET /console/socket`, the WebSocket of consoles (RFC 6455). The server's `upgrade` event brings it, and it takes the
 * same way as every request up to here: so a refusal is an answer like all others.
 */
export function addConsoleSocket(app: FastifyInstance, options: ConsoleSocketOptions): void {
  const { consoles, countStranger } = options;
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: LONGEST_MESSAGE,
    handleProtocols: () => CONSOLE_PROTOCOL,
  });

  // What is left is a list of subprotocols that is not well-formed.
  sockets.on('wsClientError', (_error, socket) =>
    refuseConnection(socket, new Refusal('upgrade_required', { headers: UPGRADE }), options.publicUrl()),
  );
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    upgrades.set(request, { socket, head });
    const answer = new ServerResponse(request);
    answer.shouldKeepAlive = false;
    // It is one of net's: the server takes connections from nothing else.
    answer.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
    answer.on('finish', () => socket.end());
    app.routing(request, answer);
  });

  app.get(CONSOLE_SOCKET_PATH, async (request, reply) => {
    const upgrade = upgrades.get(request.raw);
    const protocols = offeredBy(request);
    const ticket = ticketAmong(protocols);
    if (
      upgrade === undefined ||
      ticket === null ||
      !protocols.includes(CONSOLE_PROTOCOL) ||
      !isOpening(request)
    )
      throw new Refusal('upgrade_required', { headers: UPGRADE });
    mustComeFrom(request, options);
    if (consoles.isClosing) throw new Refusal('maintenance');
    const ip = addressOf(request);
    const session = await sessionOf(ticket, ip);
    reply.hijack();
    const { socket, head } = upgrade;
    const viewer = await upgraded(reply.raw, request.raw, socket, head);
    if (viewer === null) consoles.giveUp(session);
    else consoles.carry(session, viewer);
  });

  app.addHook('preClose', () => consoles.close());

  async function sessionOf(ticket: string, ip: string): Promise<ConsoleSession> {
    const begun = TICKET.test(ticket) ? await consoles.begin(ticket, ip) : { kind: 'no_ticket' as const };
    switch (begun.kind) {
      case 'begun':
        return begun.session;
      case 'no_ticket':
        await countStranger(ip);
        throw new Refusal('console_ticket_invalid');
      case 'too_many':
        throw new Refusal('console_limit_reached', { members: { limit: begun.limit } });
      case 'not_now':
        throw new Refusal('state_conflict', { members: { current_state: begun.reason } });
    }
  }

  /** null: the connection is gone, or its request was no WebSocket's and has been answered. */
  function upgraded(
    answer: ServerResponse,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<WebSocket | null> {
    answer.detachSocket(socket as Parameters<ServerResponse['detachSocket']>[0]);
    return new Promise((resolve) => {
      socket.once('close', () => resolve(null));
      sockets.handleUpgrade(request, socket, head, resolve);
    });
  }
}

/** Whether it can open a WebSocket (RFC 6455 §4.2.1). Looked at first: a request that cannot must not use up its ticket. */
function isOpening({ method, headers }: FastifyRequest): boolean {
  return (
    method === 'GET' &&
    KEY.test(headers['sec-websocket-key'] ?? '') &&
    Number(headers['sec-websocket-version']) === VERSION
  );
}

function offeredBy(request: FastifyRequest): readonly string[] {
  const offered = request.headers['sec-websocket-protocol'] ?? '';
  return offered.split(',').map((protocol) => protocol.trim());
}

/** Browsers say which page opens a WebSocket; programs have none, and nothing but the ticket lets them in. */
function mustComeFrom(request: FastifyRequest, { publicUrl, origins }: ConsoleSocketOptions): void {
  const { origin } = request.headers;
  if (origin === undefined || origin === new URL(publicUrl()).origin || origins.includes(origin)) return;
  throw new Refusal('origin_not_allowed');
}

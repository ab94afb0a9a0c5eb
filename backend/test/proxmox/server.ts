import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { selfSigned } from '../certificate.ts';
import type { SimulatedCluster } from './cluster.ts';
import { serveRfb } from './console.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { agentEndpoints } from './endpoints/agent.ts';
import { backupEndpoints } from './endpoints/backup.ts';
import { cloneEndpoint } from './endpoints/clone.ts';
import { clusterEndpoints } from './endpoints/cluster.ts';
import { configEndpoints } from './endpoints/config.ts';
import { consoleEndpoints, type WaitingConsole } from './endpoints/console.ts';
import { firewallEndpoints } from './endpoints/firewall.ts';
import { machineEndpoints } from './endpoints/machine.ts';
import { powerEndpoints } from './endpoints/power.ts';
import { snapshotEndpoints } from './endpoints/snapshot.ts';
import { storageEndpoints } from './endpoints/storage.ts';
import { parametersOf } from './form.ts';
import { PveRefusal, wrongParameters } from './refusal.ts';
import { verified } from './schema.ts';

export interface Token {
  readonly id: string;
  secret: string;
  /** Seconds since 1970; 0: never. */
  expire: number;
  /** What it may do, everywhere. */
  readonly privileges: Set<string>;
}

/** What may go wrong with a request: before it is carried out, or after, when its answer gets lost. */
export interface Loss {
  readonly fits: (method: string, path: string) => boolean;
  readonly when: 'before' | 'after';
}

export interface ServerOptions {
  readonly cluster: SimulatedCluster;
  readonly token: Token;
}

const API = '/api2/json';
/** A longer one ends the connection. */
const LONGEST_FRAME = 128 * 1024;

/** The daemon that answers for a cluster, over HTTPS with a certificate of its own. */
export class PveServer {
  readonly cluster: SimulatedCluster;
  readonly token: Token;
  readonly certificate = selfSigned('localhost', '127.0.0.1');
  /** Requests seen, as `METHOD path`. */
  readonly seen: string[] = [];
  /** Runs before a request that fits is carried out, once. */
  readonly before: { readonly fits: Loss['fits']; readonly work: () => void | Promise<void> }[] = [];
  readonly losses: Loss[] = [];
  readonly #endpoints: readonly {
    readonly endpoint: Endpoint;
    readonly path: RegExp;
    readonly names: string[];
  }[];
  readonly #waiting = new Set<WaitingConsole>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LONGEST_FRAME,
    handleProtocols: () => 'binary',
  });
  readonly #server: Server;

  constructor({ cluster, token }: ServerOptions) {
    this.cluster = cluster;
    this.token = token;
    const endpoints = [
      ...[clusterEndpoints, machineEndpoints, powerEndpoints, snapshotEndpoints, storageEndpoints],
      ...[configEndpoints, [cloneEndpoint], backupEndpoints],
      ...[firewallEndpoints, agentEndpoints, consoleEndpoints(this.#waiting)],
    ].flat();
    this.#endpoints = endpoints.map((endpoint) => ({
      endpoint,
      path: new RegExp(`^${endpoint.path.replace(/\{[a-z]+\}/g, '([^/]+)')}$`),
      names: [...endpoint.path.matchAll(/\{([a-z]+)\}/g)].map(([, name = '']) => name),
    }));
    this.#server = createServer(this.certificate, (request, response) => this.#serve(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.cluster.tasks.idle();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const [path = '', query = ''] = url.replace(API, '').split('?');
    const body = Buffer.concat(await request.toArray());
    this.seen.push(`${method} ${decodeURIComponent(path)}`);
    const at = this.losses.findIndex(({ fits }) => fits(method, path));
    const [loss] = at < 0 ? [] : this.losses.splice(at, 1);
    if (loss?.when === 'before') return void request.socket.destroy();
    try {
      const early = this.before.findIndex(({ fits }) => fits(method, path));
      if (early >= 0) await this.before.splice(early, 1)[0]?.work();
      const { given, file } = parametersOf(request, query, body);
      const value = await this.#call(request, method, path, given, file);
      if (loss?.when === 'after') return void request.socket.destroy();
      answer(response, 200, 'OK', { data: value ?? null });
    } catch (error) {
      if (loss?.when === 'after') return void request.socket.destroy();
      if (!(error instanceof PveRefusal)) throw error;
      const { status, message, errors } = error;
      answer(response, status, message, {
        data: null,
        message: `${message}\n`,
        ...(errors === null ? {} : { errors }),
      });
    }
  }

  async #call(
    request: IncomingMessage,
    method: string,
    path: string,
    given: Record<string, string>,
    file: Buffer | null,
  ): Promise<unknown> {
    this.#authenticate(request);
    const found = this.#endpoints.flatMap(({ endpoint, path: pattern, names }) => {
      const match = endpoint.method === method ? pattern.exec(path) : null;
      return match === null ? [] : [{ endpoint, match, names }];
    })[0];
    if (found === undefined) throw new PveRefusal(501, `Method '${method} ${path}' not implemented`);
    const { endpoint, match, names } = found;
    const inPath = Object.fromEntries(
      names.map((name, at) => [name, decodeURIComponent(match[at + 1] ?? '')]),
    );
    for (const [name, value] of Object.entries(inPath))
      if (given[name] !== undefined && given[name] !== value)
        throw wrongParameters({
          [name]: 'duplicate parameter (already defined in URI) with conflicting values!',
        });
    const all = { ...given, ...inPath };
    for (const { path: at, privileges, any } of endpoint.permissions)
      this.#check(
        at.replace(/\{([a-z]+)\}/g, (_, name: string) => all[name] ?? ''),
        privileges,
        any === true,
      );
    if (endpoint.proxied === true) this.cluster.node(all.node ?? '');
    const call: Call = {
      ...{ cluster: this.cluster, user: this.token.id, values: verified(all, endpoint.parameters), file },
      check: (at, privileges) => this.#check(at, privileges, false),
    };
    return await endpoint.code(call);
  }

  #authenticate(request: IncomingMessage): void {
    const { id, secret, expire } = this.token;
    if (request.headers.authorization === undefined) throw new PveRefusal(401, 'No ticket');
    const isExpired = expire !== 0 && expire <= this.cluster.now;
    if (request.headers.authorization !== `PVEAPIToken=${id}=${secret}` || isExpired)
      throw new PveRefusal(401, 'authentication failure');
  }

  #check(path: string, privileges: readonly string[], any: boolean): void {
    const has = (privilege: string) => this.token.privileges.has(privilege);
    if (any ? !privileges.some(has) : !privileges.every(has))
      throw new PveRefusal(403, `Permission check failed (${path}, ${privileges.join('|')})`);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const [path = '', query = ''] = (request.url ?? '').replace(API, '').split('?');
    const [, vmid] = /^\/nodes\/[^/]+\/qemu\/(\d+)\/vncwebsocket$/.exec(path) ?? [];
    const asked = new URLSearchParams(query);
    const console = [...this.#waiting].find(
      ({ vmid: of, port, ticket }) =>
        String(of) === vmid && String(port) === asked.get('port') && ticket === asked.get('vncticket'),
    );
    try {
      this.#authenticate(request);
    } catch {
      return void socket.end('HTTP/1.1 401 authentication failure\r\n\r\n');
    }
    if (console === undefined)
      return void socket.end('HTTP/1.1 401 permission denied - invalid PVEVNC ticket\r\n\r\n');
    this.#waiting.delete(console);
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      const stream = createWebSocketStream(client);
      stream.on('error', () => {});
      serveRfb(stream, console.password).catch(() => client.terminate());
    });
  }
}

function answer(response: ServerResponse, status: number, reason: string, body: object): void {
  response.writeHead(status, reason.split('\n')[0], { 'content-type': 'application/json;charset=UTF-8' });
  response.end(JSON.stringify(body));
}

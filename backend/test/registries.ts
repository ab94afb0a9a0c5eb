import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { after } from 'node:test';
import { isGlobalUnicast } from '../src/base/global-address.ts';
import type { OutboundOptions } from '../src/base/outbound.ts';
import { selfSigned } from './certificate.ts';

/** How the one RDAP server answers a path; the bootstrap files are among them. */
export type RdapAnswer = (response: ServerResponse, request: IncomingMessage) => void;
/** How one WHOIS server answers a line. */
export type WhoisAnswer = (line: string, socket: Socket) => void;

const RDAP_HOST = 'rdap.example.net';

/**
 * Registries on loopback: an RDAP server (which is IANA's too) and WHOIS servers by their host names. `outbound` is
 * the world for them, in which their names are loopback's and every other rule holds; other names are 10.0.0.1.
 */
export async function openRegistries(whoisHosts: readonly string[]) {
  const certificate = selfSigned(RDAP_HOST);
  const paths = new Map<string, RdapAnswer>();
  const lines = new Map<string, WhoisAnswer>();
  const asked: string[] = [];
  const rdap = createHttpsServer(certificate, (request, response) => {
    asked.push(`rdap ${request.url}`);
    const answer = paths.get(request.url ?? '');
    if (answer === undefined) response.writeHead(404).end('{"errorCode": 404}');
    else answer(response, request);
  });
  const rdapPort = await listen(rdap);
  const whoisPorts = new Map<string, number>();
  for (const host of whoisHosts) {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      let line = '';
      socket.on('data', (part) => {
        line += part.toString();
        if (!line.endsWith('\r\n')) return;
        asked.push(`${host} ${line.trim()}`);
        const answer = lines.get(host);
        if (answer === undefined) socket.end();
        else answer(line.trim(), socket);
      });
    });
    whoisPorts.set(host, await listen(server));
  }
  const ours = new Set([RDAP_HOST, ...whoisHosts]);
  const outbound: OutboundOptions = {
    resolve: async (host) => [ours.has(host) ? '127.0.0.1' : '10.0.0.1'],
    permits: (address) => address === '127.0.0.1' || isGlobalUnicast(address),
    ca: certificate.cert,
  };
  return {
    rdapUrl: `https://${RDAP_HOST}:${rdapPort}/`,
    paths,
    lines,
    asked,
    outbound,
    whoisPort: (host: string) => whoisPorts.get(host) ?? 43,
  };
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

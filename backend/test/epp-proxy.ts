import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket } from 'node:tls';
import type { KeyedCertificate } from '../src/base/certificate.ts';
import { encodeFrame, FrameReader } from '../src/drivers/registry/epp/wire/frame.ts';
import { answer } from './played-registry.ts';

/** What happens to the next command that contains `command`, or to its answer. */
export interface EppFault {
  /** A part of the command's document, such as `<domain:create`, or several that must all be in it. */
  readonly command: string | readonly string[];
  /**
   * lost: the connection breaks before the command arrives. unanswered: it breaks after the effect, before the
   * answer. twice: it arrives twice, and the second answer is the one that comes. A number: the command does not
   * arrive, and is answered with this code. A function: what comes in place of the answer; octets are sent as they are.
   */
  readonly fault: 'lost' | 'unanswered' | 'twice' | number | ((answer: string) => string | Buffer);
}

interface Side {
  readonly authority: string;
  readonly server: KeyedCertificate;
  readonly clients: Readonly<Record<string, KeyedCertificate>>;
}

/** A server before an EPP server, in both of whose connections TLS ends, so that it sees whole frames. */
export async function openEppProxy(registryPort: number, { authority, server, clients }: Side) {
  const faults: EppFault[] = [];
  const commands: string[] = [];
  const answers: string[] = [];
  const state = { connections: 0 };
  const sockets = new Set<TLSSocket>();

  const proxy = createServer(
    { ...server, ca: authority, requestCert: true, rejectUnauthorized: true },
    (client) => {
      state.connections += 1;
      const registrar = client.getPeerCertificate().subject?.CN ?? '';
      const registry = connect({
        host: '127.0.0.1',
        port: registryPort,
        ca: authority,
        ...clients[String(registrar)],
      });
      const end = () => {
        client.destroy();
        registry.destroy();
      };
      for (const socket of [client, registry]) {
        sockets.add(socket);
        socket.on('error', end).on('close', end);
      }
      // What is to become of the answers that are awaited; the greeting comes without being asked for.
      const asked: (EppFault['fault'] | 'dropped' | undefined)[] = [undefined];
      eachFrame(client, (document) => {
        commands.push(document);
        const at = faults.findIndex(({ command }) =>
          [command].flat().every((part) => document.includes(part)),
        );
        const [fault] = at < 0 ? [] : faults.splice(at, 1);
        if (fault?.fault === 'lost') return end();
        if (typeof fault?.fault === 'number') {
          client.write(encodeFrame(answer(document, fault.fault)));
          return;
        }
        asked.push(fault?.fault === 'twice' ? 'dropped' : fault?.fault);
        registry.write(encodeFrame(document));
        if (fault?.fault !== 'twice') return;
        asked.push(undefined);
        registry.write(encodeFrame(document));
      });
      eachFrame(registry, (document) => {
        answers.push(document);
        const fault = asked.shift();
        if (fault === 'dropped') return;
        if (fault === 'unanswered') return end();
        const told = typeof fault === 'function' ? fault(document) : document;
        client.write(typeof told === 'string' ? encodeFrame(told) : told);
      });
    },
  );
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    faults,
    /** Every document since the start, in both directions. */
    commands,
    answers,
    state,
    async close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

function eachFrame(socket: TLSSocket, take: (document: string) => void): void {
  const reader = new FrameReader();
  socket.on('data', (chunk: Buffer) => {
    for (const document of reader.read(chunk)) take(document);
  });
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { createServer, type TLSSocket } from 'node:tls';
import { encodeFrame, FrameReader } from '../src/drivers/registry/epp/wire/frame.ts';
import { NS } from '../src/drivers/registry/epp/wire/namespace.ts';
import { eppCertificate } from './epp.ts';

export const GREETING = `<epp xmlns="${NS.epp}"><greeting><svID>Test</svID><svDate>2027-01-01T00:00:00Z</svDate><svcMenu>
  <version>1.0</version><lang>fr</lang><objURI>${NS.domain}</objURI><objURI>urn:unknown</objURI><svcExtension>
  <extURI>${NS.secDNS}</extURI><extURI>${NS.fee}</extURI><extURI>${NS.launch}</extURI><extURI>urn:unknown-too</extURI></svcExtension></svcMenu></greeting></epp>`;

/** A response to this command; `parts` come before its ids. */
export function answer(document: string, code: number, parts = ''): string {
  const id = /<clTRID>(.*)<\/clTRID>/.exec(document)?.[1];
  return `<epp xmlns="${NS.epp}"><response><result code="${code}"><msg>Told</msg></result>${parts}
    <trID><clTRID>${id}</clTRID><svTRID>S-1</svTRID></trID></response></epp>`;
}

/** A registry that answers each document as told; null: not now. */
export async function play(
  t: TestContext,
  react: (document: string, send: (answer: string) => void, hangUp: () => void) => string | null,
) {
  const received: string[] = [];
  const heard = new EventTarget();
  const sockets = new Set<TLSSocket>();
  const server = createServer(eppCertificate('registry', ['127.0.0.1']), (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const send = (document: string) => {
      socket.write(encodeFrame(document));
    };
    const reader = new FrameReader();
    socket.on('data', (chunk: Buffer) => {
      for (const document of reader.read(chunk)) {
        if (document.includes('<logout')) send(answer(document, 1500));
        else {
          received.push(document);
          const told = react(document, send, () => socket.destroy());
          if (told !== null) send(told);
        }
        heard.dispatchEvent(new Event('command'));
      }
    });
    send(GREETING);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, received, heard, connections: () => sockets.size };
}

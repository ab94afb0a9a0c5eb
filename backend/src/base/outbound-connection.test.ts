import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { OutboundFailure } from './outbound.ts';
import { connectOutbound } from './outbound-connection.ts';

const sockets: Socket[] = [];
const server = createServer((socket) => void sockets.push(socket.on('error', () => {})));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
after(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const resolve = async () => ['127.0.0.1'];
const permits = (address: string) => address === '127.0.0.1';
const never = new AbortController().signal;

test('a connection goes to the address that was checked', async () => {
  const socket = await connectOutbound({ host: 'whois.example', port }, never, { resolve, permits });
  assert.equal(socket.remoteAddress, '127.0.0.1');
  socket.destroy();
});

test('nothing connects to what is not public, named or written', async () => {
  const before = sockets.length;
  for (const host of ['whois.example', '127.0.0.1', '::1', '10.0.0.1', '169.254.169.254']) {
    await assert.rejects(connectOutbound({ host, port }, never, { resolve }), OutboundFailure, host);
  }
  const both = async () => ['127.0.0.1', '10.0.0.1'];
  await assert.rejects(
    connectOutbound({ host: 'a.example', port }, never, { resolve: both, permits }),
    OutboundFailure,
  );
  assert.equal(sockets.length, before);
});

test('a host without an address, and a port where nobody listens, are failures', async () => {
  const none = async () => [];
  await assert.rejects(connectOutbound({ host: 'a.example', port }, never, { resolve: none }), /no address/);
  const nobody = { host: 'a.example', port: 9 };
  await assert.rejects(connectOutbound(nobody, never, { resolve, permits }), /the connection failed/);
});

test('an address that nothing leads to is a failure like others', async () => {
  for (const address of ['255.255.255.255', 'ff02::1'])
    await assert.rejects(
      connectOutbound({ host: 'a.example', port }, never, {
        resolve: async () => [address],
        permits: () => true,
      }),
      OutboundFailure,
    );
});

test('the signal ends a connection, also one that is open already', async () => {
  const ending = new AbortController();
  const socket = await connectOutbound({ host: 'a.example', port }, ending.signal, { resolve, permits });
  ending.abort();
  await new Promise((closed) => socket.once('close', closed));
  assert.ok(socket.destroyed);
  await assert.rejects(connectOutbound({ host: 'a.example', port }, ending.signal, { resolve, permits }));
});

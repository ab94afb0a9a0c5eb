import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

export const S3 = {
  region: 'eu-test-1',
  accessKey: 'AKIATEST',
  secretKey: 'test/secret+key',
  bucket: 'files',
};

/**
 * A bucket on this machine. It keeps to what S3 documents of Signature Version 4: a request whose signature over
 * method, path, signed headers and the hash of its body is not what the shared secret makes of it is refused, and so
 * is a body that has another hash.
 */
export async function openS3() {
  const objects = new Map<string, Buffer>();
  const refused: string[] = [];
  /** Answered instead, once. */
  const faults: number[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    const fault = faults.shift();
    const wrong = fault === undefined ? problemOf(request, body) : null;
    if (wrong !== null) refused.push(wrong);
    const [, bucket, key = ''] = (request.url ?? '').split('/');
    const stored = objects.get(key);
    if (fault !== undefined) response.writeHead(fault).end();
    else if (wrong !== null) response.writeHead(403).end(`<Error><Code>${wrong}</Code></Error>`);
    else if (bucket !== S3.bucket) response.writeHead(404).end();
    else if (request.method === 'PUT') {
      objects.set(key, body);
      response.writeHead(200).end();
    } else if (stored === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(stored);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    bucketUrl: `http://127.0.0.1:${port}/${S3.bucket}`,
    objects,
    refused,
    faults,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Why a request is not to be believed, in S3's words; null: it is. */
function problemOf(request: IncomingMessage, body: Buffer): string | null {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    );
  if (given === null) return 'AccessDenied';
  const [, credential = '', signedHeaders = '', signature = ''] = given;
  const [accessKey = '', day = '', region = '', service = '', end = ''] = credential.split('/');
  if (accessKey !== S3.accessKey) return 'InvalidAccessKeyId';
  if (region !== S3.region || service !== 's3' || end !== 'aws4_request')
    return 'AuthorizationHeaderMalformed';
  const date = String(request.headers['x-amz-date'] ?? '');
  if (!date.startsWith(day)) return 'AccessDenied';
  const hash = String(request.headers['x-amz-content-sha256'] ?? '');
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const names = signedHeaders.split(';');
  if (!names.includes('host') || !names.includes('x-amz-content-sha256')) return 'AccessDenied';
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const headers = names.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`).join('');
  const canonical = [request.method, path, query, headers, signedHeaders, hash].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = [region, service, 'aws4_request'].reduce<Buffer>(
    (secret, part) => hmac(secret, part),
    hmac(`AWS4${S3.secretKey}`, day),
  );
  const expected = createHmac('sha256', key).update(toSign).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? null : 'SignatureDoesNotMatch';
}

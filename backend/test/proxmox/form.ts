import type { IncomingMessage } from 'node:http';
import { PveRefusal } from './refusal.ts';

const UPLOAD_PARTS = ['content', 'checksum-algorithm', 'checksum', 'filename'];

/** Forms as browsers and PVE's own clients send them, JSON, and one file. */
export function parametersOf(
  request: IncomingMessage,
  query: string,
  body: Buffer,
): { given: Record<string, string>; file: Buffer | null } {
  const given = Object.fromEntries(new URLSearchParams(query));
  const type = request.headers['content-type'] ?? '';
  const boundary = /^multipart\/form-data; boundary="?([^";]+)"?$/.exec(type)?.[1];
  if (request.headers['transfer-encoding'] !== undefined)
    throw new PveRefusal(501, 'chunked transfer encoding not supported');
  if (boundary === undefined) {
    if (body.length > 0 && !type.startsWith('application/x-www-form-urlencoded'))
      throw new PveRefusal(501, `Unexpected content for method '${request.method}'`);
    return { given: { ...given, ...Object.fromEntries(new URLSearchParams(body.toString())) }, file: null };
  }
  let file: Buffer | null = null;
  const names: string[] = [];
  for (const part of body.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
    const end = part.indexOf('\r\n\r\n');
    const [head, content] = [part.slice(0, end), part.slice(end + 4, -2)];
    const name = / name="([^"]*)"/.exec(head)?.[1] ?? '';
    const filename = / filename="([^"]*)"/.exec(head)?.[1];
    names.push(name);
    if (filename === undefined) given[name] = Buffer.from(content, 'latin1').toString();
    else {
      given[name] = filename;
      file = Buffer.from(content, 'latin1');
    }
  }
  // PVE reads the parts in this order, and the file as the last one.
  const isInOrder = names.join() === UPLOAD_PARTS.filter((name) => names.includes(name)).join();
  if (!isInOrder || file === null) throw new PveRefusal(501, 'upload failed');
  return { given, file };
}

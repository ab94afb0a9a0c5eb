import { Duplex } from 'node:stream';
import { drawText } from './screen-text.ts';

const WIDTH = 320;
const HEIGHT = 200;
const BYTES_PER_PIXEL = 4;
const VERSION = Buffer.from('RFB 003.008\n');
const NO_SECURITY = 1;
const RAW = 0;
const MOST_MESSAGE = 1024 * 1024;

// 32 bits for each pixel, blue in the lowest, as is usual (RFC 6143, section 7.4).
const PIXEL_FORMAT = Buffer.from([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0]);

/** How long each message of a client is, by its type; null: that depends on a count in its first eight bytes. */
const FIXED: Readonly<Record<number, number>> = { 0: 20, 3: 10, 4: 8, 5: 6 };
const SET_ENCODINGS = 2;
const UPDATE_REQUEST = 3;
const KEY_EVENT = 4;
const CUT_TEXT = 6;

const BACKSPACE = 0xff08;
const RETURN = 0xff0d;

/**
 * The screen of a machine that is not there: a server of RFB 3.8 (RFC 6143) that shows a prompt and what is typed.
 * Speaks raw pixels in its own format only, which every viewer understands.
 */
export function openScreen(hostname: string): Duplex {
  let waiting = Buffer.alloc(0);
  let stage: 'version' | 'security' | 'init' | 'messages' = 'version';
  const lines = ['Hostkeep sandbox', '', `${hostname} login: `];
  let isShown = false;
  let isAsked = false;

  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, taken) {
      waiting = Buffer.concat([waiting, chunk]);
      try {
        if (waiting.length > MOST_MESSAGE) throw new Error('a message is too long');
        while (step());
        taken();
      } catch (error) {
        taken(error instanceof Error ? error : new Error(String(error)));
      }
    },
    final(ended) {
      stream.push(null);
      ended();
    },
  });

  /** Takes one message; false: it is not here yet. */
  function step(): boolean {
    if (stage === 'version') {
      if (!take(VERSION.length)) return false;
      stream.push(Buffer.from([1, NO_SECURITY]));
      stage = 'security';
    } else if (stage === 'security') {
      const chosen = take(1);
      if (!chosen) return false;
      if (chosen[0] !== NO_SECURITY) throw new Error('only "None" is offered');
      stream.push(Buffer.alloc(4));
      stage = 'init';
    } else if (stage === 'init') {
      if (!take(1)) return false;
      const name = Buffer.from(hostname);
      const [size, length] = [Buffer.alloc(4), Buffer.alloc(4)];
      size.writeUInt16BE(WIDTH, 0);
      size.writeUInt16BE(HEIGHT, 2);
      length.writeUInt32BE(name.length);
      stream.push(Buffer.concat([size, PIXEL_FORMAT, length, name]));
      stage = 'messages';
    } else return message();
    return true;
  }

  function message(): boolean {
    const type = waiting[0];
    if (type === undefined) return false;
    const taken = take(lengthOf(type) ?? Number.POSITIVE_INFINITY);
    if (!taken) return false;
    if (type === KEY_EVENT && taken[1] === 1) typed(taken.readUInt32BE(4));
    if (type === UPDATE_REQUEST) {
      // An incremental one is answered when something changes.
      if (taken[1] === 0) isShown = false;
      isAsked = true;
      show();
    }
    return true;
  }

  function lengthOf(type: number): number | null {
    if (type === SET_ENCODINGS) return waiting.length < 4 ? null : 4 + 4 * waiting.readUInt16BE(2);
    if (type === CUT_TEXT) return waiting.length < 8 ? null : 8 + waiting.readUInt32BE(4);
    const length = FIXED[type];
    if (length === undefined) throw new Error(`message ${type} is not known`);
    return length;
  }

  function typed(key: number): void {
    const last = lines.length - 1;
    if (key === RETURN) lines.push(`${hostname} login: `);
    else if (key === BACKSPACE) lines[last] = (lines[last] ?? '').slice(0, -1);
    else if (key >= 0x20 && key < 0x7f) lines[last] += String.fromCharCode(key);
    isShown = false;
    show();
  }

  function show(): void {
    if (isShown || !isAsked) return;
    const header = Buffer.alloc(16);
    header.writeUInt16BE(1, 2);
    header.writeUInt16BE(WIDTH, 8);
    header.writeUInt16BE(HEIGHT, 10);
    header.writeInt32BE(RAW, 12);
    stream.push(Buffer.concat([header, drawText(lines, WIDTH, HEIGHT, BYTES_PER_PIXEL)]));
    isShown = true;
    isAsked = false;
  }

  function take(length: number): Buffer | null {
    if (waiting.length < length) return null;
    const taken = waiting.subarray(0, length);
    waiting = waiting.subarray(length);
    return taken;
  }

  stream.push(VERSION);
  return stream;
}

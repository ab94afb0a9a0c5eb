import { encodeIpv4, encodeIpv6 } from './address.ts';
import { unescapeText } from './escape.ts';
import { type Field, layoutOf } from './layout.ts';
import { encodeName, foldLabels, parseName } from './name.ts';
import { encodeParams } from './params.ts';
import { type Token, tokens } from './token.ts';

const MOST_OCTETS = 0xffff;
const BITS = { u8: 1, u16: 2, u32: 4 } as const;

/**
 * RDATA as it travels, without compression, from its presentation form; any type takes RFC 3597's `\# 2 abcd`.
 * Names are folded to lower case, so that equal RDATA has equal octets. Throws RangeError for what cannot be read.
 */
export function encodeRdata(type: string, text: string): Buffer {
  const words = [...tokens(text)];
  const layout = words[0]?.text === '\\#' ? undefined : layoutOf(type);
  const rdata = layout === undefined ? encodeOpaque(words) : encodeFields(layout, words);
  if (words.length > 0) throw new RangeError(`${type} takes no ${words[0]?.text}`);
  if (rdata.length > MOST_OCTETS) throw new RangeError(`${type} is longer than 65535 octets`);
  return rdata;
}

/** Takes the words away that it read. */
function encodeFields(layout: readonly Field[], words: Token[]): Buffer {
  return Buffer.concat(layout.map((field) => encodeField(field, words)));
}

function encodeField(field: Field, words: Token[]): Buffer {
  switch (field) {
    case 'params':
      return encodeParams(words.splice(0));
    case 'strings':
      return Buffer.concat([next(words), ...words.splice(0)].map(encodeString));
    case 'hex':
      return encodeHex(rest(words));
    case 'base64':
      return encodeBase64(rest(words));
  }
  const word = next(words);
  switch (field) {
    case 'u8':
    case 'u16':
    case 'u32':
      return encodeNumber(word.text, BITS[field]);
    case 'ipv4':
      return encodeIpv4(word.text);
    case 'ipv6':
      return encodeIpv6(word.text);
    case 'name':
      return encodeName(foldLabels(parseName(word.text)));
    case 'word':
    case 'string':
      return encodeString(word);
    case 'text':
      return unescapeText(word.text);
  }
}

function encodeOpaque(words: Token[]): Buffer {
  if (next(words).text !== '\\#') throw new RangeError('RDATA of this type is written as \\# length octets');
  const length = Number(next(words).text);
  const octets = length === 0 ? Buffer.alloc(0) : encodeHex(rest(words));
  if (octets.length !== length) throw new RangeError(`${octets.length} octets are not ${length}`);
  return octets;
}

function encodeString({ text }: Token): Buffer {
  const octets = unescapeText(text);
  if (octets.length > 255) throw new RangeError('a text has more than 255 octets');
  return Buffer.concat([Buffer.of(octets.length), octets]);
}

function encodeNumber(text: string, octets: number): Buffer {
  const number = Number(text);
  if (!/^[0-9]{1,10}$/.test(text) || number >= 2 ** (8 * octets))
    throw new RangeError(`${text} is no number here`);
  const encoded = Buffer.alloc(octets);
  encoded.writeUIntBE(number, 0, octets);
  return encoded;
}

function encodeHex(text: string): Buffer {
  if (!/^([0-9a-f]{2})+$/i.test(text)) throw new RangeError('not hexadecimal');
  return Buffer.from(text, 'hex');
}

function encodeBase64(text: string): Buffer {
  const octets = Buffer.from(text, 'base64');
  if (text === '' || octets.toString('base64') !== text) throw new RangeError('not base64');
  return octets;
}

function next(words: Token[]): Token {
  const word = words.shift();
  if (word === undefined) throw new RangeError('RDATA ends early');
  return word;
}

function rest(words: Token[]): string {
  return words
    .splice(0)
    .map((word) => word.text)
    .join('');
}

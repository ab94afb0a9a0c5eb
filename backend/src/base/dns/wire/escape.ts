const DECIMAL = /^[0-9]{3}$/;

/** The octets that a text with `\X` and `\DDD` stands for (RFC 1035 §5.1); throws where an escape is not whole. */
export function unescapeText(text: string): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < text.length; ) {
    const mark = text.indexOf('\\', at);
    if (mark === -1) {
      parts.push(Buffer.from(text.slice(at)));
      break;
    }
    parts.push(Buffer.from(text.slice(at, mark)));
    const digits = text.slice(mark + 1, mark + 4);
    if (DECIMAL.test(digits)) {
      if (Number(digits) > 255) throw new RangeError(`\\${digits} is no octet`);
      parts.push(Buffer.of(Number(digits)));
      at = mark + 4;
    } else {
      const [character] = text.slice(mark + 1);
      if (character === undefined || /[0-9]/.test(character)) throw new RangeError('an escape is cut off');
      parts.push(Buffer.from(character));
      at = mark + 1 + character.length;
    }
  }
  return Buffer.concat(parts);
}

/** Octets as a text of printable ASCII; the characters in `special` get a backslash. */
export function escapeOctets(octets: Uint8Array, special: string): string {
  let text = '';
  for (const octet of octets) {
    const character = String.fromCharCode(octet);
    if (octet < 0x20 || octet > 0x7e) text += `\\${octet.toString().padStart(3, '0')}`;
    else text += character === '\\' || special.includes(character) ? `\\${character}` : character;
  }
  return text;
}

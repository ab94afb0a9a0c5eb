const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** Base 32 (RFC 4648 §6) in lower case and without padding. */
export function encodeBase32(bytes: Buffer): string {
  let [text, bits, held] = ['', 0, 0];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(held >> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + ALPHABET[(held << (5 - bits)) & 31];
}

/** The bytes of such a text; null when nothing encodes to it. */
export function decodeBase32(text: string): Buffer | null {
  const bytes: number[] = [];
  let [bits, held] = [0, 0];
  for (const letter of text) {
    const value = ALPHABET.indexOf(letter);
    if (value < 0) return null;
    held = ((held << 5) | value) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 255);
  }
  const decoded = Buffer.from(bytes);
  return encodeBase32(decoded) === text ? decoded : null;
}

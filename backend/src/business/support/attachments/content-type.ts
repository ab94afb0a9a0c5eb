/** What may be attached. Nothing of it does anything in a browser, and it is only ever offered to be saved. */
export const ATTACHABLE = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
  'text/plain',
  'text/csv',
  'application/zip',
  'application/gzip',
] as const;
export type AttachableType = (typeof ATTACHABLE)[number];

const SIGNATURES: readonly (readonly [AttachableType, (content: Buffer) => boolean])[] = [
  ['image/png', (content) => begins(content, 0, '89504e470d0a1a0a')],
  ['image/jpeg', (content) => begins(content, 0, 'ffd8ff')],
  ['image/gif', (content) => /^GIF8[79]a/.test(content.toString('latin1', 0, 6))],
  ['image/webp', (content) => begins(content, 0, '52494646') && begins(content, 8, '57454250')],
  ['application/pdf', (content) => begins(content, 0, '255044462d')],
  // Also an empty archive. Office documents are archives too, and are offered as such.
  ['application/zip', (content) => begins(content, 0, '504b0304') || begins(content, 0, '504b0506')],
  ['application/gzip', (content) => begins(content, 0, '1f8b08')],
];

// Names under which people and their programs keep text.
const TEXT_NAME = /\.(txt|log|csv|conf|cfg|ini|json|ya?ml|md|pem|crt|eml|sql|toml|env|diff|patch)$/i;
const CSV_NAME = /\.csv$/i;
// Pages and pictures that would run: as text they are no harm here, but the one who saves them opens them.
const ACTIVE = /^\ufeff?\s*<(!doctype|\?xml|html|svg|script|head|body|iframe)/i;

/** What the bytes are, whatever their name or their sender says; null: nothing that may be attached. */
export function contentTypeOf(filename: string, content: Buffer): AttachableType | null {
  const signed = SIGNATURES.find(([, matches]) => matches(content));
  if (signed !== undefined) return signed[0];
  if (!TEXT_NAME.test(filename) || !isText(content)) return null;
  return CSV_NAME.test(filename) ? 'text/csv' : 'text/plain';
}

function begins(content: Buffer, at: number, hex: string): boolean {
  return content.subarray(at, at + hex.length / 2).toString('hex') === hex;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** UTF-8 without controls that no text has. */
function isText(content: Buffer): boolean {
  try {
    const text = utf8.decode(content);
    return !ACTIVE.test(text.slice(0, 1000)) && !CONTROLS.test(text.replaceAll('\u001b', ''));
  } catch {
    return false;
  }
}

// All controls but tab, line breaks, form feed and the escape of coloured logs.
const CONTROLS = /[^\P{Cc}\t\n\r\f]/u;

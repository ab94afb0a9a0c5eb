/**
 * What somebody wrote themselves in a mail: without the mail that they answer, which their program put below, and without
 * their signature. Whatever is not surely one of the two stays, also quotations between which they wrote. Line by line,
 * in one pass: mails are written by anybody.
 */
export function replyText(text: string): string {
  const all = text.replace(/\r\n?/g, '\n').replaceAll('\u00a0', ' ').split('\n');
  const lines = withoutSignature(withoutQuotation(withoutOriginal(all)));
  const said = trimmed(lines).join('\n');
  return said === '' ? trimmed(all).join('\n') : said;
}

const ORIGINAL =
  /^\s*-{2,12}\s?(original message|forwarded message|ursprüngliche nachricht|originalnachricht|weitergeleitete nachricht|message d'origine)\s?-{2,12}\s*$/i;
const RULER = /^\s*_{10,}\s*$/;
/** The block that some programs put before the mail that is answered. */
const FROM = /^\s*\*?(from|von|de)\s?:\*?\s*\S/i;
const HEADER = /^\s*\*?(sent|date|to|cc|subject|gesendet|datum|an|betreff|kopie|envoyé|à|objet)\s?:\*?\s/i;
const HEADER_LINES = 6;

/** From `-----Original Message-----`, or a block of From, Sent, To and Subject, on, nothing is new. */
function withoutOriginal(lines: readonly string[]): readonly string[] {
  const begin = lines.findIndex((line, index) => {
    if (ORIGINAL.test(line)) return true;
    if (!FROM.test(line)) return false;
    return lines.slice(index + 1, index + HEADER_LINES).filter((next) => HEADER.test(next)).length >= 2;
  });
  if (begin < 0) return lines;
  const kept = trimmed(lines.slice(0, begin));
  return RULER.test(kept.at(-1) ?? '') ? kept.slice(0, -1) : kept;
}

// "On Friday, Ada <ada@b.example> wrote:", on one line or, broken, on up to three; or with the name first, on one.
const VERB = '(wrote|schrieb|écrit|escribió|scritto|schreef|skrev|escreveu|napisał\\(?a?\\)?)';
const ON = new RegExp(`^\\s*(on|am|le|el|il|op|den|em|w dniu)\\s.{0,600}${VERB}.{0,200}:\\s*$`, 'i');
const WHO = new RegExp(`^.{0,200}[<[]\\S{1,100}@\\S{1,100}[>\\]][\\s,].{0,100}${VERB}.{0,200}:\\s*$`, 'i');
const WROTE_LINES = 3;
const LONGEST_LINE = 300;

/** The quotation at the end with the line that says whose it is. One after which something follows stays. */
function withoutQuotation(lines: readonly string[]): readonly string[] {
  let end = trimmed(lines).length;
  const isQuoted = (line: string | undefined) => /^\s{0,2}>/.test(line ?? '');
  const quoted = isQuoted(lines[end - 1]);
  while (end > 0 && (isQuoted(lines[end - 1]) || (quoted && (lines[end - 1] ?? '').trim() === ''))) end -= 1;
  if (!quoted) return lines;
  for (let count = 1; count <= WROTE_LINES && count <= end; count += 1) {
    const header = lines.slice(end - count, end);
    if (header.some((line) => line.length > LONGEST_LINE || line.trim() === '')) break;
    if (ON.test(header.join(' '))) return lines.slice(0, end - count);
  }
  return lines.slice(0, WHO.test((lines[end - 1] ?? '').slice(0, LONGEST_LINE * 2)) ? end - 1 : end);
}

const MOBILE =
  /^\s*(sent from (my|mail for|outlook|yahoo|proton).{0,60}|get outlook for .{0,40}|von meinem .{1,40} gesendet|gesendet (mit|von) .{1,60}|envoyé de mon .{1,40})\s*$/i;

/** Behind `-- ` (RFC 3676 §4.3) nothing is meant for us, nor is what telephones add. */
function withoutSignature(lines: readonly string[]): readonly string[] {
  const begin = lines.findIndex((line) => line === '-- ' || line === '--');
  const kept = trimmed(begin < 0 ? lines : lines.slice(0, begin));
  return MOBILE.test(kept.at(-1) ?? '') ? kept.slice(0, -1) : kept;
}

function trimmed(lines: readonly string[]): readonly string[] {
  let [begin, end] = [0, lines.length];
  while (begin < end && (lines[begin] ?? '').trim() === '') begin += 1;
  while (end > begin && (lines[end - 1] ?? '').trim() === '') end -= 1;
  return lines.slice(begin, end);
}

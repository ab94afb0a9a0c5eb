const SECTOR = 2048;
const FIRST_DESCRIPTOR = 16;
const [PRIMARY, SUPPLEMENTARY, TERMINATOR] = [1, 2, 255] as const;
const DIRECTORY = 2;
/** UCS-2 level 3: names as they are (Joliet specification, "Escape Sequences"). */
const JOLIET = '%/E';

/** A file of the medium: its name twice, as ECMA-119 level 1 allows it and as systems show it. */
export interface MediumFile {
  readonly plain: string;
  readonly name: string;
  readonly content: Buffer;
}

interface Placed {
  readonly name: Buffer;
  readonly sector: number;
  readonly length: number;
}

/** A read-only medium with these files in one directory: ECMA-119 (ISO 9660) with Joliet's names beside the plain ones. */
export function isoImage(label: string, files: readonly MediumFile[]): Buffer {
  // Descriptors, then for both kinds of names two path tables, then two directories, then the files.
  const tables = FIRST_DESCRIPTOR + 3;
  const directories = tables + 4;
  let sector = directories + 2;
  const placed = files.map((file) => {
    const at = sector;
    sector += Math.max(1, Math.ceil(file.content.length / SECTOR));
    return { ...file, sector: at, length: file.content.length };
  });
  const plain = directory(
    directories,
    placed.map((file) => ({ ...file, name: Buffer.from(file.plain) })),
  );
  const joliet = directory(
    directories + 1,
    placed.map((file) => ({ ...file, name: ucs2(file.name) })),
  );
  const image = Buffer.alloc(sector * SECTOR);
  const put = (at: number, content: Buffer) => content.copy(image, at * SECTOR);
  put(
    FIRST_DESCRIPTOR,
    descriptor({ type: PRIMARY, label, sectors: sector, table: tables, root: directories }),
  );
  put(
    FIRST_DESCRIPTOR + 1,
    descriptor({ type: SUPPLEMENTARY, label, sectors: sector, table: tables + 2, root: directories + 1 }),
  );
  put(FIRST_DESCRIPTOR + 2, Buffer.from([TERMINATOR, ...Buffer.from('CD001'), 1]));
  for (const [at, root] of [directories, directories + 1].entries()) {
    put(tables + 2 * at, pathTable(root, false));
    put(tables + 2 * at + 1, pathTable(root, true));
  }
  put(directories, plain);
  put(directories + 1, joliet);
  for (const file of placed) put(file.sector, file.content);
  return image;
}

/** Numbers are there twice, in both orders of their octets (7.2.3, 7.3.3). */
function both(bits: 16 | 32, value: number): Buffer {
  const octets = Buffer.alloc(bits / 4);
  if (bits === 16) {
    octets.writeUInt16LE(value, 0);
    octets.writeUInt16BE(value, 2);
  } else {
    octets.writeUInt32LE(value, 0);
    octets.writeUInt32BE(value, 4);
  }
  return octets;
}

function ucs2(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

/** A directory record (9.1). */
function record({ name, sector, length }: Placed, flags: number): Buffer {
  const size = 33 + name.length + ((name.length + 1) % 2);
  const octets = Buffer.alloc(size);
  octets[0] = size;
  both(32, sector).copy(octets, 2);
  both(32, length).copy(octets, 10);
  octets[25] = flags;
  both(16, 1).copy(octets, 28);
  octets[32] = name.length;
  name.copy(octets, 33);
  return octets;
}

function directory(sector: number, files: readonly Placed[]): Buffer {
  const itself = [0, 1].map((name) =>
    record({ name: Buffer.from([name]), sector, length: SECTOR }, DIRECTORY),
  );
  const sorted = files.toSorted((one, other) => Buffer.compare(one.name, other.name));
  const octets = Buffer.concat([...itself, ...sorted.map((file) => record(file, 0))]);
  if (octets.length > SECTOR) throw new RangeError('a medium of so many files needs a longer directory');
  return octets;
}

/** The only directory, as path tables name it (9.4). */
function pathTable(root: number, isBigEndian: boolean): Buffer {
  const octets = Buffer.alloc(10);
  octets[0] = 1;
  if (isBigEndian) octets.writeUInt32BE(root, 2);
  else octets.writeUInt32LE(root, 2);
  if (isBigEndian) octets.writeUInt16BE(1, 6);
  else octets.writeUInt16LE(1, 6);
  return octets;
}

interface Description {
  readonly type: number;
  readonly label: string;
  readonly sectors: number;
  /** The first path table; the other one is behind it. */
  readonly table: number;
  readonly root: number;
}

/** A primary or supplementary volume descriptor (8.4, 8.5). */
function descriptor({ type, label, sectors, table, root }: Description): Buffer {
  const octets = Buffer.alloc(SECTOR);
  const isJoliet = type === SUPPLEMENTARY;
  const text = (at: number, length: number, value: string) => {
    const blank = isJoliet ? ucs2(' '.repeat(Math.ceil(length / 2))) : Buffer.alloc(length, ' ');
    const content = isJoliet ? ucs2(value) : Buffer.from(value);
    blank.copy(octets, at, 0, length);
    content.copy(octets, at, 0, length);
  };
  octets[0] = type;
  octets.write('CD001', 1);
  octets[6] = 1;
  text(8, 32, '');
  text(40, 32, label);
  both(32, sectors).copy(octets, 80);
  if (isJoliet) octets.write(JOLIET, 88);
  for (const at of [120, 124]) both(16, 1).copy(octets, at);
  both(16, SECTOR).copy(octets, 128);
  both(32, 10).copy(octets, 132);
  octets.writeUInt32LE(table, 140);
  octets.writeUInt32BE(table + 1, 148);
  record({ name: Buffer.from([0]), sector: root, length: SECTOR }, DIRECTORY).copy(octets, 156);
  for (const at of [190, 318, 446, 574]) text(at, 128, '');
  for (const at of [702, 739, 776]) text(at, 37, '');
  // No dates (8.4.26.1): digits of zero, and an offset of zero.
  for (const at of [813, 830, 847, 864]) octets.fill('0', at, at + 16);
  octets[881] = 1;
  return octets;
}

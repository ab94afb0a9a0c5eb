const FIRST = 0x20;
const COLUMNS = 5;
const CELL = { width: 6, height: 10 };

// The printable characters of ASCII as five columns each of eight points, the lowest bit uppermost.
const GLYPHS = Buffer.from(
  [
    '000000000000005f00000007000700147f147f14242a7f2a12231308646236495620500008070300001c2241000041221c00',
    '2a1c7f1c2a08083e08080080703000080808080800006060002010080402',
    '3e5149453e00427f400072494949462141494d331814127f1027454545393c4a49493141211109073649494949464949291e',
    '000014000000403400000008142241141414141400412214080201590906',
    '3e415d594e7c1211127c7f494949363e414141227f4141413e7f494949417f090909013e414151737f0808087f00417f4100',
    '2040413f017f081422417f404040407f021c027f7f0408107f3e4141413e7f090909063e4151215e7f091929462649494932',
    '03017f01033f4040403f1f2040201f3f4038403f631408146303047804036159494d43',
    '007f4141410204081020004141417f04020102044040404040',
    '000307080020545478407f284444383844444428384444287f3854545418',
    '00087e090218a4a49c787f0804047800447d40002040403d007f1028440000417f40007c047804787c080404783844444438',
    'fc1824241818242418fc7c08040408485454542404043f44243c4040207c1c2040201c3c4030403c44281028444c9090907c44',
    '64544c440008364100000077000000413608000201020402',
  ].join(''),
  'hex',
);

/** Lines of text as pixels, light on dark, 32 bits each; what does not fit is left out. */
export function drawText(
  lines: readonly string[],
  width: number,
  height: number,
  pixelBytes: number,
): Buffer {
  const pixels = Buffer.alloc(width * height * pixelBytes);
  const shown = lines.slice(-Math.floor(height / CELL.height));
  for (const [row, line] of shown.entries()) {
    for (let at = 0; at < Math.min(line.length, Math.floor(width / CELL.width)); at += 1) {
      for (let column = 0; column < COLUMNS; column += 1) {
        const points = GLYPHS[(line.charCodeAt(at) - FIRST) * COLUMNS + column] ?? 0;
        for (let bit = 0; bit < 8; bit += 1) {
          if (((points >> bit) & 1) === 0) continue;
          const x = at * CELL.width + column;
          const y = row * CELL.height + bit + 1;
          pixels.fill(0xd0, (y * width + x) * pixelBytes, (y * width + x + 1) * pixelBytes);
        }
      }
    }
  }
  return pixels;
}

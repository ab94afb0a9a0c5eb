import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The package's root: its entry is `core/rfb.js`. */
const ROOT = new URL('..', import.meta.resolve('@novnc/novnc'));

/** noVNC as browsers load it, unchanged, by the paths below its package's root. */
export function readNovnc(): ReadonlyMap<string, Buffer> {
  const found = globSync(['core/**/*.js', 'vendor/**/*.js', 'LICENSE.txt'], { cwd: fileURLToPath(ROOT) });
  const names = found.map((name) => name.replaceAll('\\', '/')).sort();
  return new Map(names.map((name) => [name, readFileSync(new URL(name, ROOT))]));
}

/**
 * Runs test files one after the other in this process, each as a suite with the file's path for its name: hooks of a file
 * are hooks of its suite, so nothing of a file is open when the next begins, and each failure has its file.
 */
import { describe } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) {
  // Resolved when the suite is done with, its hooks as well.
  await describe(file, async () => {
    await import(pathToFileURL(file).href);
  });
  // Its verdict is handed over before the next file can end the process.
  await setImmediate();
  await setImmediate();
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
}

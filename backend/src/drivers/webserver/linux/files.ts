import type { Host } from './host.ts';
import type { Step } from './plan.ts';

/** A file of root's with this text; `changed` runs when it had to be written, or removed again. */
export function fileStep(
  host: Host,
  name: string,
  path: string,
  text: string,
  {
    mode = '0644',
    group = '0',
    changed = async () => {},
  }: { mode?: string; group?: string; changed?: () => Promise<void> } = {},
): Step {
  let before: string | null = null;
  return {
    name,
    async isDone() {
      before = await host.read(path);
      return before === text;
    },
    async apply() {
      await host.write(path, text, mode, group);
      await changed();
    },
    async undo() {
      if (before === null) await host.remove(path);
      else await host.write(path, before, mode, group);
      await changed();
    },
  };
}

/** Nothing at this path. */
export function absentStep(host: Host, name: string, path: string, changed = async () => {}): Step {
  return {
    name,
    isDone: async () => !(await host.holds(['test', '-e', path])),
    async apply() {
      await host.remove(path);
      await changed();
    },
    undo: async () => {},
  };
}

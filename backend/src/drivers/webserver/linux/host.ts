import { type Executor, must, script } from '../../host/executor.ts';
import type { PlanOptions } from './plan.ts';
import { Reloader } from './reload.ts';
import type { HostSettings } from './settings.ts';

// The signal returns at once. Until the old workers have heard that they are to end, they accept connections and
// answer them by the old configuration.
const RELOAD = `nginx -q -t -c "$1"
old=$(pgrep -P "$(cat "$2")")
nginx -q -s reload -c "$1"
for wait in $(seq 1 400); do
  left=
  for worker in $old; do
    tr '\\0' ' ' <"/proc/$worker/cmdline" 2>/dev/null | grep -q 'worker process *$' && left=yes
  done
  [ -z "$left" ] && exit 0
  sleep 0.025
done
echo 'nginx does not reload' >&2
exit 1`;

/** A host, with what its plans share. */
export class Host {
  readonly executor: Executor;
  readonly settings: HostSettings;
  readonly plans: PlanOptions;
  readonly nginx: Reloader;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(executor: Executor, settings: HostSettings, plans: PlanOptions = {}) {
    this.executor = executor;
    this.settings = settings;
    this.plans = plans;
    this.nginx = new Reloader(() => this.#reload());
  }

  run(argv: readonly string[], input?: string | Buffer): Promise<string> {
    return must(this.executor, argv, input === undefined ? {} : { input });
  }

  /** Whether a command succeeds. */
  async holds(argv: readonly string[]): Promise<boolean> {
    return (await this.executor.run(argv)).code === 0;
  }

  /** Runs a fixed script; see {@link script}. */
  sh(text: string, ...values: readonly string[]): Promise<string> {
    return this.run(script(text, ...values));
  }

  /** The text of a file; null: there is none. */
  async read(path: string): Promise<string | null> {
    const { code, stdout } = await this.executor.run(script('test -f "$1" || exit 3; cat "$1"', path));
    if (code === 0) return stdout;
    if (code === 3) return null;
    throw new Error(`${path} cannot be read`);
  }

  /** Writes a file of root's, and of this group, so that it is there whole or not at all. */
  async write(path: string, text: string, mode = '0644', group = '0'): Promise<void> {
    const write =
      'umask 077; mkdir -p "$(dirname "$1")"; cat >"$1.new"; chgrp "$3" "$1.new"; chmod "$2" "$1.new"; mv -fT "$1.new" "$1"';
    await this.run(script(write, path, mode, group), text);
  }

  async remove(path: string): Promise<void> {
    await this.run(['rm', '-rf', '--one-file-system', '--', path]);
  }

  /** One after the other, what must not happen at once: plans of one site, changes of the users. */
  inTurn<T>(of: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(of) ?? Promise.resolve()).catch(() => {}).then(work);
    const settled = turn
      .catch(() => {})
      .then(() => {
        if (this.#turns.get(of) === settled) this.#turns.delete(of);
      });
    this.#turns.set(of, settled);
    return turn;
  }

  async #reload(): Promise<void> {
    const { etc, run } = this.settings;
    await this.sh(RELOAD, `${etc}/nginx/nginx.conf`, `${run}/nginx.pid`);
  }
}

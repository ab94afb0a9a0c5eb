// Needs: proxy

import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually } from './eventually.ts';

/** HAProxy in front of API processes, each of them a named slot that a new process can take. */
export class HaProxy {
  /** A socket of the file system: no port has to be free. */
  readonly entrance: string;
  readonly #control: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #complaints = '';

  private constructor(directory: string, child: ChildProcess) {
    this.entrance = join(directory, 'entrance');
    this.#control = join(directory, 'control');
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('close', () => resolve()));
    child.once('error', (error) => {
      this.#complaints += error.message;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-4000);
    });
  }

  /**
   * Nothing is sent twice and nothing is sent elsewhere after a failure, so each connection that is refused or reset
   * shows: HAProxy answers it with 502 or 503.
   */
  static async start(directory: string, slots: readonly string[]): Promise<HaProxy> {
    const file = join(directory, 'haproxy.cfg');
    await writeFile(file, configuration(directory, slots));
    const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    const proxy = new HaProxy(directory, child);
    await eventually('HAProxy', async () => {
      if (child.exitCode !== null) throw new Error(`HAProxy ended: ${proxy.#complaints}`);
      return await proxy.#command('show info').then(
        () => true,
        () => undefined,
      );
    });
    return proxy;
  }

  /** Puts a process into a slot, and waits until HAProxy sends requests there. */
  async use(slot: string, address: string): Promise<void> {
    const { hostname, port } = new URL(address);
    await this.#command(`set server api/${slot} addr ${hostname} port ${port}`);
    await eventually(`${slot} to be up`, async () => ((await this.#state(slot)) === 'UP' ? true : undefined));
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#ended;
  }

  async #state(slot: string): Promise<string> {
    const [head = '', ...rows] = (await this.#command('show stat')).trim().split('\n');
    const column = head.replace(/^# /, '').split(',').indexOf('status');
    return rows.find((row) => row.startsWith(`api,${slot},`))?.split(',')[column] ?? '';
  }

  #command(line: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#control);
      let text = '';
      socket.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(text));
      socket.write(`${line}\n`);
    });
  }
}

function configuration(directory: string, slots: readonly string[]): string {
  return `global
  stats socket ${directory}/control level admin

defaults
  mode http
  timeout connect 120s
  timeout client 240s
  timeout server 240s
  timeout check 120s

frontend public
  bind unix@${directory}/entrance
  default_backend api

backend api
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
  retries 0
  default-server inter 100ms fall 3 rise 1
${slots.map((slot) => `  server ${slot} 127.0.0.1:1 check`).join('\n')}
`;
}

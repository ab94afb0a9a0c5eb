import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { Machine } from '../src/drivers/hypervisor/qemu/machine.ts';
import { until } from './until.ts';

/** Of the VGA's text mode: 25 lines of 80 characters, each with its colours. */
const COLUMNS = 80;
const TEXT = { address: 0xb8000, octets: COLUMNS * 25 * 2 };

/** What a machine's screen says, line by line, read from its own memory. */
export async function textOf(machine: Machine): Promise<string> {
  const commandLine = `xp /${TEXT.octets}bx ${TEXT.address}`;
  const dumped = await machine.ask((qmp) =>
    qmp.execute('human-monitor-command', { 'command-line': commandLine }),
  );
  const octets = [...String(dumped).matchAll(/0x([0-9a-f]{2})\b/g)].map(([, hex]) => Number(`0x${hex}`));
  const text = octets
    .filter((_, at) => at % 2 === 0)
    .map((octet) => String.fromCharCode(octet))
    .join('');
  return text.replaceAll(new RegExp(`.{${COLUMNS}}`, 'gs'), (line) => `${line.trimEnd()}\n`);
}

/** Waits until the screen says it. */
export async function says(machine: Machine, text: string): Promise<string> {
  return await until(
    async () => {
      const shown = await textOf(machine);
      return shown.includes(text) ? shown : null;
    },
    async () => `the screen does not say ${text}: ${await textOf(machine)}`,
  );
}

/** The picture that QEMU itself takes of the screen: width, height, and three octets for each pixel (ppm(5)). */
export async function pictureOf(machine: Machine): Promise<string> {
  const filename = `${machine.node.run(machine.serverId)}/screen.ppm`;
  await machine.ask((qmp) => qmp.execute('screendump', { filename }));
  const file = await readFile(filename);
  const [head = '', width, height] = /^P6\s(\d+)\s(\d+)\s255\s/.exec(file.toString('latin1')) ?? [];
  return `${width} ${height} ${file.subarray(head.length).toString('base64')}`;
}

/** The same of what the console's page shows. */
export async function shownBy(page: Page): Promise<string> {
  return String(
    await page.evaluate(`(() => {
      const canvas = document.querySelector('#screen canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let text = '';
      for (let at = 0; at < data.length; at += 4) text += String.fromCharCode(data[at], data[at + 1], data[at + 2]);
      return canvas.width + ' ' + canvas.height + ' ' + btoa(text);
    })()`),
  );
}

/** Somebody at a machine's console in a browser. */
export class Terminal {
  readonly page: Page;
  readonly #machine: Machine;

  constructor(page: Page, machine: Machine) {
    this.page = page;
    this.#machine = machine;
  }

  /** Waits for the page that `link` leads to, and for the picture of it to be that of the machine. */
  async open(link: string): Promise<void> {
    await this.page.goto(link);
    await this.page.waitForSelector('body[data-state=connected]');
    // Its cursor blinks: sooner or later both have the same picture of it.
    await until(
      async () => ((await shownBy(this.page)) === (await pictureOf(this.#machine)) ? true : null),
      async () => 'the page shows another picture than QEMU takes of the screen',
    );
  }

  /** Types a line by the page's own keyboard for texts: a browser's driver sends no Shift. */
  async type(line: string): Promise<void> {
    if (!(await this.page.isVisible('#text'))) await this.page.click('#clipboard');
    await this.page.fill('#text', `${line}\n`);
    await this.page.click('#type');
  }

  says(text: string): Promise<string> {
    return says(this.#machine, text);
  }

  /** Answers the prompts, and waits for what comes of it. */
  async logIn(username: string, password: string, then: '#' | 'Login incorrect'): Promise<void> {
    await this.says('login:');
    await this.type(username);
    await this.says('Password:');
    await this.type(password);
    await this.says(then);
  }
}

import type { Clock } from '../../../base/clock.ts';
import {
  type WhoisDirectory,
  WhoisFailure,
  type WhoisQuestion,
  type WhoisRecord,
  type WhoisSource,
} from '../port.ts';
import { Bootstrap, type BootstrapOptions } from './bootstrap.ts';
import { Deadline } from './deadline.ts';
import { type Answered, lookupByRdap } from './rdap.ts';
import { lookupByWhois, type WhoisOptions } from './whois.ts';

/** How much of the time RDAP gets where WHOIS may have to answer instead. */
const RDAP_SHARE = 0.6;

/** The registries of the Internet, by RDAP and WHOIS. Connects to nothing but public addresses (rule A11). */
export class InternetWhois implements WhoisDirectory {
  readonly #clock: Clock;
  readonly #options: WhoisOptions;
  readonly #bootstrap: Bootstrap;

  constructor(options: BootstrapOptions & WhoisOptions) {
    this.#clock = options.clock;
    this.#options = options;
    this.#bootstrap = new Bootstrap(options);
  }

  async lookup(question: WhoisQuestion, source: WhoisSource, deadlineMs: number): Promise<WhoisRecord> {
    const answered = await this.#answer(question, source, new Deadline(deadlineMs));
    return { ...answered, fetchedAt: this.#clock.now(), cached: false };
  }

  async #answer(question: WhoisQuestion, source: WhoisSource, deadline: Deadline): Promise<Answered> {
    if (source === 'whois') return await lookupByWhois(question, deadline, this.#options);
    if (source === 'rdap') return await this.#rdap(question, deadline);
    try {
      return await this.#rdap(question, deadline.share(RDAP_SHARE));
    } catch (error) {
      if (!(error instanceof WhoisFailure)) throw error;
      return await lookupByWhois(question, deadline, this.#options);
    }
  }

  async #rdap(question: WhoisQuestion, deadline: Deadline): Promise<Answered> {
    const { outbound } = this.#options;
    const answered = await lookupByRdap(question, deadline, { bootstrap: this.#bootstrap, outbound });
    if (answered === null) throw new WhoisFailure('rdap', 'no RDAP server is known for this');
    return answered;
  }
}

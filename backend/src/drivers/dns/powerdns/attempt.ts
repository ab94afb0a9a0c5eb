import { setTimeout } from 'node:timers/promises';
import { BackendUnavailable } from '../../outcome.ts';
import { PowerDnsBusy, PowerDnsRefusal } from './api.ts';

/** Of a change that met another: each time after a random moment, which grows. */
const ATTEMPTS = 8;
const MOMENT_MS = 20;

/** Work that looks before it changes anything, again while PowerDNS's database is busy. */
export async function persisting(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PowerDnsBusy) || attempt === ATTEMPTS) throw error;
      await setTimeout(Math.random() * MOMENT_MS * 2 ** attempt);
    }
  }
}

/** What follows a change: a no to that is no refusal, since something has changed. */
export async function unrefused<T>(work: () => Promise<T>): Promise<T> {
  return await work().catch((error: unknown) => {
    throw error instanceof PowerDnsRefusal ? new BackendUnavailable('PowerDNS', error) : error;
  });
}

export function notServed(): never {
  throw new PowerDnsRefusal(404, 'it is not served here');
}

import { readFileSync } from 'node:fs';
import { bankDataByBLZ } from 'bankdata-germany';
import type { Instant } from '../../../base/time.ts';

/** A bank as the central bank or clearing house of its country lists it. */
export interface Bank {
  readonly name: string;
  readonly bic: string | null;
}

type Directory = (bankCode: string, now: Instant) => Bank | null;

/** By country. Germany's list changes quarterly; the package has it with the day from which the next one holds. */
const DIRECTORIES: Readonly<Record<string, Directory>> = {
  AT: fromList('at'),
  BE: fromList('be'),
  CH: fromList('ch'),
  DE: (bankCode, now) => {
    const found = bankDataByBLZ(bankCode, new Date(now.epochMilliseconds));
    return found === null ? null : { name: found.bankName, bic: found.bic ?? null };
  },
  NL: fromList('nl'),
};

/** The bank with this code; null where the country's list is not at hand, or has no such bank. */
export function findBank(country: string, bankCode: string, now: Instant): Bank | null {
  return DIRECTORIES[country]?.(bankCode, now) ?? null;
}

/** A list of `lists/`, which `scripts/update-bank-lists.ts` writes; read when it is first asked. */
function fromList(country: string): Directory {
  let banks: ReadonlyMap<string, Bank> | undefined;
  return (bankCode) => {
    banks ??= readList(readFileSync(new URL(`lists/${country}.tsv`, import.meta.url), 'utf8'));
    return banks.get(bankCode) ?? null;
  };
}

function readList(text: string): ReadonlyMap<string, Bank> {
  const banks = new Map<string, Bank>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [bic = '', name = '', codes = ''] = line.split('\t');
    for (const code of codes.split(' ')) banks.set(code, { name, bic: bic === '' ? null : bic });
  }
  return banks;
}

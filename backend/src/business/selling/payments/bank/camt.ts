import { sha256 } from '../../../../base/canonical.ts';
import { readDecimal } from '../../../../base/decimal.ts';
import type { Amount } from '../../../../base/money.ts';
import { elements, readXml, textAt, type XmlNode } from './xml.ts';

/** Money that a statement says to have come, or to have been taken back. */
export interface StatementEntry {
  /** Names it for good: another statement of the same account that holds it gives the same. */
  readonly bankRef: string;
  readonly iban: string;
  /** YYYY-MM-DD */
  readonly bookedOn: string;
  /** Negative where it was taken back. */
  readonly amount: Amount;
  readonly currency: string;
  readonly debtorName: string | null;
  readonly debtorIban: string | null;
  /** All that the payer wrote, a line for each field. */
  readonly remittance: string;
  /** It undoes an earlier entry, so that nobody pays by it. */
  readonly reversal: boolean;
  /** It is one sum of several transactions, of which the statement does not say what each was. */
  readonly undivided: boolean;
}

export type CamtReading =
  | { readonly ok: true; readonly entries: readonly StatementEntry[] }
  | { readonly ok: false; readonly problem: string };

const MOST_ENTRIES = 50_000;
const LONGEST_TEXT = 2000;
/** What ISO 20022 takes: 18 digits. */
const MOST_AMOUNT = 10n ** 17n;
/** Max35Text. */
const LONGEST_REF = 35;

class NotCamt extends Error {
  override readonly name = 'NotCamt';
}

/**
 * Reads a bank's statements, CAMT.053 (ISO 20022 camt.053.001.02 and .08, and what is like them): the booked credits,
 * and the reversals of credits and debits. A credit of several transactions is read as these. Only statements of the
 * account with this IBAN are taken.
 */
export function readCamt(text: string, iban: string): CamtReading {
  const xml = readXml(text);
  if (!xml.ok) return xml;
  try {
    const statements = elements(xml.root, 'Document', 'BkToCstmrStmt', 'Stmt');
    if (statements.length === 0) throw new NotCamt('it holds no bank-to-customer statement (CAMT.053)');
    const drafts = statements.flatMap((statement) => entriesOf(statement, iban));
    if (drafts.length > MOST_ENTRIES) throw new NotCamt(`it has more than ${MOST_ENTRIES} entries`);
    return { ok: true, entries: named(drafts) };
  } catch (error) {
    if (error instanceof NotCamt) return { ok: false, problem: error.message };
    throw error;
  }
}

type EntryDraft = Omit<StatementEntry, 'bankRef'> & {
  readonly servicerRef: string | null;
  /** The reference is of several transactions, or none is: what they say tells them apart. */
  readonly shared: boolean;
  readonly entryRef: string | null;
};

function entriesOf(statement: XmlNode, iban: string): EntryDraft[] {
  const account = textAt(statement, 'Acct', 'Id', 'IBAN')?.replaceAll(/\s/g, '').toUpperCase();
  if (account !== iban) throw new NotCamt(`it is of another account: ${account ?? 'without an IBAN'}`);
  return elements(statement, 'Ntry').flatMap((entry) => {
    // A text in version 02, a code since.
    const status = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts');
    const credit = textAt(entry, 'CdtDbtInd') === 'CRDT';
    const reversal = /^(true|1)$/.test(textAt(entry, 'RvslInd') ?? '');
    return status === 'BOOK' && (credit || reversal) ? parts(entry, { iban, credit, reversal }) : [];
  });
}

interface Booking {
  readonly iban: string;
  readonly credit: boolean;
  readonly reversal: boolean;
}

/** The transactions of an entry that was booked in one sum, or the entry as a whole. */
function parts(entry: XmlNode, { iban, credit, reversal }: Booking): EntryDraft[] {
  const total = amountAt(entry, 'Amt');
  if (total === null) throw new NotCamt('an entry has no amount');
  if (total.amount === 0n) return [];
  const bookedOn = dayOf(entry);
  const transactions = elements(entry, 'NtryDtls', 'TxDtls');
  const amounts = transactions.map(
    (transaction) => amountAt(transaction, 'Amt') ?? amountAt(transaction, 'AmtDtls', 'TxAmt', 'Amt'),
  );
  const sum = amounts.reduce((before, given) => before + (given?.amount ?? 0n), 0n);
  const divides =
    transactions.length > 1 &&
    sum === total.amount &&
    amounts.every((given) => given?.currency === total.currency && given.amount > 0n);
  const common = {
    iban,
    bookedOn,
    reversal,
    currency: total.currency,
    entryRef: textAt(entry, 'NtryRef'),
    servicerRef: refOf(textAt(entry, 'AcctSvcrRef')),
  };
  const signed = (amount: Amount) => (credit ? amount : -amount);
  if (!divides) {
    const [first] = transactions;
    const written = [...transactions.flatMap(writtenIn), textAt(entry, 'AddtlNtryInf')];
    return [
      {
        ...common,
        undivided: transactions.length > 1,
        shared: false,
        amount: signed(total.amount),
        ...debtorOf(first),
        remittance: lines(written),
        servicerRef: common.servicerRef ?? refOf(textAt(first, 'Refs', 'AcctSvcrRef')),
      },
    ];
  }
  const own = transactions.map((transaction) => refOf(textAt(transaction, 'Refs', 'AcctSvcrRef')));
  return transactions.map((transaction, at) => {
    const ref = own[at] ?? null;
    return {
      ...common,
      undivided: false,
      // Banks repeat the reference of a booking in each of its parts.
      shared: ref === null || own.filter((other) => other === ref).length > 1,
      amount: signed(amounts[at]?.amount ?? 0n),
      ...debtorOf(transaction),
      remittance: lines(writtenIn(transaction)),
      servicerRef: ref ?? common.servicerRef,
    };
  });
}

function amountAt(node: XmlNode, ...path: string[]): { amount: Amount; currency: string } | null {
  const [found] = elements(node, ...path);
  const text = textAt(found);
  const currency = textAt(found, '@Ccy');
  if (text === null || currency === null) return null;
  if (!/^[A-Z]{3}$/.test(currency)) throw new NotCamt(`${currency.slice(0, 10)} is no currency`);
  const read = readDecimal(text, 2);
  if (!read.ok || read.value < 0n || read.value > MOST_AMOUNT)
    throw new NotCamt(
      `the amount ${text.slice(0, 40)} ${read.ok ? (read.value < 0n ? 'is negative' : 'is too large') : read.problem}`,
    );
  return { amount: read.value, currency };
}

function dayOf(entry: XmlNode): string {
  const day = ['BookgDt', 'ValDt']
    .flatMap((date) => [textAt(entry, date, 'Dt'), textAt(entry, date, 'DtTm')])
    .find((text) => text !== null)
    ?.slice(0, 10);
  try {
    const date = Temporal.PlainDate.from(day ?? '');
    if (date.year < 1) throw new RangeError('no year of a bank');
    return date.toString();
  } catch {
    throw new NotCamt('an entry has no date');
  }
}

function debtorOf(transaction: XmlNode | undefined) {
  return {
    // Since version 08 the party is within a choice.
    debtorName:
      textAt(transaction, 'RltdPties', 'Dbtr', 'Nm') ?? textAt(transaction, 'RltdPties', 'Dbtr', 'Pty', 'Nm'),
    debtorIban: textAt(transaction, 'RltdPties', 'DbtrAcct', 'Id', 'IBAN'),
  };
}

function writtenIn(transaction: XmlNode): (string | null)[] {
  const texts = (...path: string[]) => elements(transaction, ...path).map((found) => textAt(found));
  return [
    ...texts('RmtInf', 'Ustrd'),
    ...texts('RmtInf', 'Strd', 'CdtrRefInf', 'Ref'),
    refOf(textAt(transaction, 'Refs', 'EndToEndId')),
    textAt(transaction, 'AddtlTxInf'),
  ];
}

function lines(written: readonly (string | null)[]): string {
  return written
    .filter((text) => text !== null)
    .join('\n')
    .slice(0, LONGEST_TEXT);
}

/** A reference, unless it says that there is none. */
function refOf(text: string | null): string | null {
  return text === null || /^(NONREF|NOTPROVIDED|NONE|0+)$/i.test(text) ? null : text;
}

/**
 * Names entries by the bank's reference of them, with what must be the same whenever it is; where the bank gives none,
 * or one for several, by all that they say besides. Of equal ones on one day the first, the second and so on are told
 * apart. No name depends on the order in which different ones come.
 */
function named(drafts: readonly EntryDraft[]): StatementEntry[] {
  const seen = new Map<string, number>();
  const firstOf = new Map<string, string>();
  const counted = (name: string) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return `${name} ${count}`;
  };
  return drafts.map(({ servicerRef, shared, entryRef, ...entry }) => {
    const { iban, bookedOn, amount, currency, debtorName, debtorIban, remittance, reversal } = entry;
    const what = `${iban} ${bookedOn} ${amount} ${currency}${reversal ? ' reversal' : ''}`;
    // The number of an entry is its statement's: another that holds it may give it another.
    const number = shared && servicerRef !== null ? null : entryRef;
    const content = sha256(JSON.stringify([what, number, debtorName, debtorIban, remittance])).toString(
      'hex',
    );
    if (servicerRef === null) return { ...entry, bankRef: counted(content) };
    const name = `${what} ${servicerRef.length > LONGEST_REF ? sha256(servicerRef).toString('hex') : servicerRef}`;
    if (shared) return { ...entry, bankRef: counted(`${name} ${content}`) };
    // The same reference in another entry that says something else: another one.
    const first = firstOf.get(name) ?? content;
    firstOf.set(name, first);
    return { ...entry, bankRef: first === content ? name : `${name} ${content}` };
  });
}

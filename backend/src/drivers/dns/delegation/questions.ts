import { absoluteName, isWithin, relativeName } from '../../../base/dns/name.ts';
import { type AnsweredRecord, readAnswer } from '../../../base/dns/wire/message.ts';
import type { ServerAddress } from '../../../base/name-server.ts';
import { askForMessage } from '../question.ts';
import { hostQuestions, USUAL_QUESTIONS, type UsualQuestion } from './usual-names.ts';

/** What is asked at the same time: a name server that is asked faster may take it for an attack. */
const AT_ONCE = 12;
/** Of names that other records point to. */
const MOST_FURTHER = 100;

interface Heard {
  readonly records: readonly AnsweredRecord[];
  /** Whether every question was answered. */
  readonly complete: boolean;
}

/** What a name server says when it is asked for the usual names of a zone, and for those that they point to. */
export async function askForUsualNames(
  server: ServerAddress,
  zone: string,
  signal: AbortSignal,
): Promise<Heard> {
  const usual = await askAll(server, zone, USUAL_QUESTIONS, signal);
  const known = new Set(USUAL_QUESTIONS.map(({ name }) => name));
  const further = namesIn(zone, usual.records).filter((name) => !known.has(name));
  const more = await askAll(server, zone, further.slice(0, MOST_FURTHER).flatMap(hostQuestions), signal);
  return {
    records: withoutWildcards(zone, unique([...usual.records, ...more.records])),
    complete: usual.complete && more.complete && further.length <= MOST_FURTHER,
  };
}

async function askAll(
  server: ServerAddress,
  zone: string,
  questions: readonly UsualQuestion[],
  signal: AbortSignal,
): Promise<Heard> {
  const records: AnsweredRecord[] = [];
  let complete = true;
  const waiting = [...questions];
  const askNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const found = await ask(server, zone, next, signal);
      if (found === null) complete = false;
      else records.push(...found);
      if (signal.aborted) return;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askNext));
  return { records, complete: complete && waiting.length === 0 };
}

/** Records at the name itself: what is answered besides for an alias was not asked for. null: no answer. */
async function ask(
  server: ServerAddress,
  zone: string,
  { name, type }: UsualQuestion,
  signal: AbortSignal,
): Promise<readonly AnsweredRecord[] | null> {
  const asked = absoluteName(name, zone);
  try {
    const answer = readAnswer(await askForMessage(server, { name: asked, type }, signal));
    return answer.authoritative ? answer.records.filter(({ owner }) => owner === asked) : [];
  } catch {
    return null;
  }
}

/** Names of the zone that its records point to. */
function namesIn(zone: string, records: readonly AnsweredRecord[]): string[] {
  const targets = records.flatMap(({ type, rdata }) =>
    ['CNAME', 'HTTPS', 'MX', 'NS', 'SRV'].includes(type) ? (rdata ?? '').split(' ') : [],
  );
  const names = targets.filter((word) => word.endsWith('.')).map((word) => word.slice(0, -1));
  return [...new Set(names.filter((name) => isWithin(name, zone)).map((name) => relativeName(name, zone)))];
}

function unique(records: readonly AnsweredRecord[]): readonly AnsweredRecord[] {
  return [...new Map(records.map((one) => [`${one.owner} ${one.type} ${one.rdata}`, one])).values()];
}

/** A wildcard answers for every name that is asked for (RFC 4592): what says the same as it does is not there itself. */
function withoutWildcards(zone: string, records: readonly AnsweredRecord[]): readonly AnsweredRecord[] {
  const wildcard = new Set(
    records.filter(({ owner }) => owner === `*.${zone}`).map(({ type, rdata }) => `${type} ${rdata}`),
  );
  return records.filter(
    ({ owner, type, rdata }) => owner === zone || owner === `*.${zone}` || !wildcard.has(`${type} ${rdata}`),
  );
}

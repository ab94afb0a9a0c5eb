import type {
  DomainAvailability,
  DomainQuestion,
  PremiumPrices,
  RegistryRefusal,
  UnavailableReason,
} from '../port.ts';
import { claimedNames } from './claims.ts';
import { feeCheck, premiumPrices } from './fee.ts';
import { Refused } from './refusal.ts';
import { command, type EppRegistry } from './registry.ts';
import { childOf, childrenOf, type Element, textOf, token, writer } from './wire/element.ts';
import { dataOf } from './wire/response.ts';

const domain = writer('domain');

/** Asks about many names in each frame (RFC 5731 §3.1.1), with prices where the registry tells them. */
export async function checkDomains(
  registry: EppRegistry,
  questions: readonly DomainQuestion[],
  answer: (availability: DomainAvailability) => void,
  signal: AbortSignal,
): Promise<void> {
  const batches = [...Map.groupBy(questions, ({ tld }) => registry.profileOf(tld))].flatMap(
    ([{ checkBatch }, asked]) =>
      Array.from({ length: Math.ceil(asked.length / checkBatch) }, (_, at) =>
        asked.slice(at * checkBatch, (at + 1) * checkBatch),
      ),
  );
  const outcomes = await Promise.allSettled(
    batches.map((batch) => checkOrDivide(registry, batch, answer, signal)),
  );
  throwWorst(outcomes);
}

/** What a question is refused for that may be about one of its names; all else is about every question. */
const ABOUT_NAMES: readonly RegistryRefusal[] = ['domain_not_available', 'policy'];

/** Registries refuse a whole question for one name that they do not take: then each is asked about by itself. */
async function checkOrDivide(
  registry: EppRegistry,
  batch: readonly DomainQuestion[],
  answer: (availability: DomainAvailability) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    await checkBatch(registry, batch, answer, signal);
  } catch (error) {
    if (!(error instanceof Refused) || !ABOUT_NAMES.includes(error.reason)) throw error;
    const [first, ...others] = batch;
    if (others.length > 0) {
      throwWorst(
        await Promise.allSettled(batch.map((one) => checkOrDivide(registry, [one], answer, signal))),
      );
    } else if (first !== undefined && error.reason === 'domain_not_available')
      answer({ domain: first.domain, available: false, reason: 'invalid', premium: null });
    else throw error;
  }
}

/** That the registry is gone says more than that it refuses something. */
function throwWorst(outcomes: readonly PromiseSettledResult<void>[]): void {
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  const [worst] = reasons.toSorted((a, b) => Number(a instanceof Refused) - Number(b instanceof Refused));
  if (worst !== undefined) throw worst;
}

async function checkBatch(
  registry: EppRegistry,
  batch: readonly DomainQuestion[],
  answer: (availability: DomainAvailability) => void,
  signal: AbortSignal,
): Promise<void> {
  const [first] = batch;
  if (first === undefined) return;
  const currency = registry.currency();
  const response = await command(
    registry,
    first,
    (uses) => ({
      name: 'domain check',
      verb: 'check',
      content: [
        domain(
          'check',
          batch.map((question) => domain('name', question.domain)),
        ),
      ],
      extensions: uses('fee') ? [feeCheck(currency)] : [],
    }),
    'policy',
    signal,
  );
  const prices = premiumPrices(response, currency);
  const answers = new Map(
    childrenOf(dataOf(response, 'domain', 'chkData'), 'domain', 'cd')
      .map((checked) => read(checked, prices))
      .map((availability) => [availability.domain, availability]),
  );
  const free = batch.filter((question) => answers.get(question.domain)?.available);
  const claimed = await claimedNames(registry, free, signal);
  for (const question of batch) {
    const told = answers.get(question.domain);
    if (told === undefined) continue;
    answer(claimed.has(told.domain) ? { ...told, available: false, reason: 'reserved' } : told);
  }
}

function read(checked: Element, prices: ReadonlyMap<string, PremiumPrices>): DomainAvailability {
  const name = childOf(checked, 'domain', 'name');
  const domain = name === null ? '' : token(name).toLowerCase();
  const available = ['1', 'true'].includes(name?.attributes.avail ?? '');
  return {
    domain,
    available,
    reason: available ? null : reasonOf(textOf(checked, 'domain', 'reason') ?? ''),
    premium: prices.get(domain) ?? null,
  };
}

/** RFC 5731 gives reasons in words only; what registries write about names that nobody holds has these in common. */
function reasonOf(text: string): UnavailableReason {
  if (/reserv|block|restrict|prohibit|not allowed|dpml/i.test(text)) return 'reserved';
  if (/invalid|syntax|illegal|malformed/i.test(text)) return 'invalid';
  return 'taken';
}

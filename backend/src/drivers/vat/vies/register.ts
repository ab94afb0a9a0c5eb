import { z } from 'zod';
import { BackendUnavailable } from '../../outcome.ts';
import type { VatAnswer, VatRegister } from '../port.ts';
import { readLimited } from './body.ts';

/** An answer has a name and an address in it; nothing that it may say takes more. */
const MAX_BYTES = 64 * 1024;
const PREFIX_LENGTH = 2;

/** What a member state gives where it does not tell. */
const UNDISCLOSED = /^-*$/;

/** CheckVatResponse of the service's OpenAPI document, as far as it is used here. */
const Checked = z.object({
  valid: z.boolean(),
  name: z.string().nullish(),
  address: z.string().nullish(),
  requestIdentifier: z.string().nullish(),
});

/** How the service reports a failure, with status 200, 400 or 500 alike. */
const Failed = z.object({
  actionSucceed: z.literal(false),
  errorWrappers: z.array(z.object({ error: z.string() })).min(1),
});

type Failure = 'INVALID_INPUT' | 'INVALID_REQUESTER_INFO';

/**
 * VIES, the search over the VAT registers of the member states: `POST check-vat-number` of its REST interface. It
 * asks the number's own member state, so any state can be away by itself. Greece is EL there, Northern Ireland XI.
 */
export class ViesRegister implements VatRegister {
  readonly #address: string;

  constructor(baseUrl: string) {
    this.#address = `${baseUrl.replace(/\/+$/, '')}/check-vat-number`;
  }

  async check(vatId: string, requester: string | null, deadlineMs: number): Promise<VatAnswer> {
    const deadline = AbortSignal.timeout(deadlineMs);
    const answer = await this.#ask(vatId, requester, deadline);
    // The seller's own number is refused, not the one asked for: an answer without a proof is better than none.
    const settled = answer === 'INVALID_REQUESTER_INFO' ? await this.#ask(vatId, null, deadline) : answer;
    if (settled === 'INVALID_REQUESTER_INFO') throw unavailable(settled);
    return settled === 'INVALID_INPUT' ? { state: 'invalid' } : settled;
  }

  async #ask(vatId: string, requester: string | null, deadline: AbortSignal): Promise<VatAnswer | Failure> {
    let text: string;
    try {
      const response = await fetch(this.#address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(question(vatId, requester)),
        redirect: 'error',
        signal: deadline,
      });
      text = await readLimited(response, MAX_BYTES);
    } catch (error) {
      throw unavailable(error);
    }
    return readAnswer(text);
  }
}

function question(vatId: string, requester: string | null): object {
  const asked = { countryCode: vatId.slice(0, PREFIX_LENGTH), vatNumber: vatId.slice(PREFIX_LENGTH) };
  if (requester === null) return asked;
  return {
    ...asked,
    requesterMemberStateCode: requester.slice(0, PREFIX_LENGTH),
    requesterNumber: requester.slice(PREFIX_LENGTH),
  };
}

/**
 * The status says little (failures come with 200 too), so the body alone decides. Only what the service documents
 * as an answer is one; MS_UNAVAILABLE, MS_MAX_CONCURRENT_REQ, TIMEOUT and the like are none.
 */
function readAnswer(text: string): VatAnswer | Failure {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw unavailable(error);
  }
  const failed = Failed.safeParse(body);
  if (failed.success) {
    const [code] = failed.data.errorWrappers.map(({ error }) => error);
    if (code === 'INVALID_INPUT' || code === 'INVALID_REQUESTER_INFO') return code;
    throw unavailable(code);
  }
  const checked = Checked.safeParse(body);
  if (!checked.success) throw unavailable(checked.error);
  const { valid, name, address, requestIdentifier } = checked.data;
  if (!valid) return { state: 'invalid' };
  return {
    state: 'valid',
    name: told(name),
    address: told(address),
    reference: told(requestIdentifier),
  };
}

/** What the service tells, if it does. Addresses have several lines; other control characters cannot be kept. */
function told(text: string | null | undefined): string | null {
  const trimmed = (text ?? '').replace(/[^\P{Cc}\n]/gu, ' ').trim();
  return UNDISCLOSED.test(trimmed) ? null : trimmed;
}

function unavailable(cause: unknown): BackendUnavailable {
  return new BackendUnavailable('VIES', cause);
}

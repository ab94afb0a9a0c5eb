import { z } from 'zod';
import { tooManyAttempts } from '../../api/attempt.ts';
import { timestamp } from '../../api/field.ts';
import { wireTime, wireTimeOrNull } from '../../base/time.ts';
import { attempt, bucketOf } from '../../business/core/access/attempt.ts';
import { answerLocally, questionText, readQuestion } from '../../business/tools/whois/question.ts';
import { WhoisFailure, type WhoisQuestion, type WhoisRecord } from '../../drivers/whois/port.ts';
import { operation } from '../../operation.ts';

const DEADLINE_MS = 8_000;
/** Registries count by the address that asks, which is one for all customers. */
const LIMIT = { limit: 30, windowSeconds: 60 };

const query = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .transform((text, ctx): WhoisQuestion => {
    const reading = readQuestion(text);
    if (reading.ok) return reading.question;
    ctx.addIssue({ code: 'custom', input: text, message: reading.problem });
    return z.NEVER;
  })
  .describe('A domain name, an IP address or the number of an autonomous system (`AS64496`).');

export default operation({
  method: 'GET',
  path: 'tools/whois',
  summary: 'Who has registered a domain, an address or an AS number',
  description:
    'By RDAP where the registry has it, else by WHOIS; `source` asks for one of them. What nobody can register, such ' +
    'as private addresses, is answered here (`local`). Answers are remembered for 15 minutes. When the registry ' +
    'fails, `backend_error` says in `reason` how. At most 30 questions a minute for an account.',
  audience: 'customer',
  scope: 'tools:read',
  input: z.strictObject({
    query,
    source: z.enum(['auto', 'rdap', 'whois']).default('auto'),
    raw: z.boolean().default(false).describe('Whether to give the answer as it came, too'),
  }),
  output: z.object({
    query: z.string().describe('What was asked for: of a longer name, the part that is registered'),
    type: z.enum(['domain', 'ipv4', 'ipv6', 'asn']),
    source: z.enum(['rdap', 'whois', 'local']),
    server: z.string().describe('The host that answered; empty if nobody was asked'),
    registered: z.boolean().nullable(),
    registrar: z
      .object({
        name: z.string(),
        iana_id: z.int().nullable(),
        url: z.string().nullable(),
        abuse_email: z.string().nullable(),
        abuse_phone: z.string().nullable(),
      })
      .nullable(),
    status: z.array(z.string()).describe("In RDAP's words, such as `client transfer prohibited`"),
    nameservers: z.array(z.string()),
    dnssec: z.boolean().nullable(),
    created_at: timestamp.nullable(),
    updated_at: timestamp.nullable(),
    expire_at: timestamp.nullable(),
    network: z
      .object({
        cidr: z
          .string()
          .describe('Several are separated by commas; of an AS number, the number or its block'),
        name: z.string(),
        country: z.string().nullable(),
      })
      .nullable(),
    raw: z.string().nullable(),
    cached: z.boolean(),
    fetched_at: timestamp,
  }),
  message: { en: 'The registry was asked.', de: 'Das Register wurde befragt.' },
  errors: ['rate_limited', 'backend_error'],
  example: { input: { query: 'example.com' } },
  async read(ctx, { query: question, source, raw }) {
    const asked = { query: questionText(question), type: question.type };
    const local = answerLocally(question);
    if (local !== null) return { ...asked, ...LOCAL, ...local, fetched_at: wireTime(ctx.now) };

    const limit = { bucket: bucketOf('whois-of', ctx.caller.accountId), ...LIMIT };
    const tooMany = await attempt(ctx.db, [limit], ctx.now);
    if (tooMany !== null) throw ctx.refusal('rate_limited', tooManyAttempts(tooMany));
    try {
      const record = await ctx.ports.whois.lookup(question, source, DEADLINE_MS);
      return { ...asked, ...wireRecord(record), raw: raw ? record.raw : null };
    } catch (error) {
      if (!(error instanceof WhoisFailure)) throw error;
      throw ctx.refusal('backend_error', { members: { backend: error.server, reason: error.message } });
    }
  },
});

const LOCAL = {
  source: 'local' as const,
  server: '',
  registered: null,
  registrar: null,
  status: [],
  nameservers: [],
  dnssec: null,
  created_at: null,
  updated_at: null,
  expire_at: null,
  raw: null,
  cached: false,
};

function wireRecord(record: WhoisRecord) {
  const { source, server, registered, registrar, dnssec, network, cached } = record;
  return {
    source,
    server,
    registered,
    registrar:
      registrar === null
        ? null
        : {
            name: registrar.name,
            iana_id: registrar.ianaId,
            url: registrar.url,
            abuse_email: registrar.abuseEmail,
            abuse_phone: registrar.abusePhone,
          },
    status: [...record.status],
    nameservers: [...record.nameservers],
    dnssec,
    created_at: wireTimeOrNull(record.createdAt),
    updated_at: wireTimeOrNull(record.updatedAt),
    expire_at: wireTimeOrNull(record.expireAt),
    network,
    cached,
    fetched_at: wireTime(record.fetchedAt),
  };
}

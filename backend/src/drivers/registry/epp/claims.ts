import type { DomainQuestion } from '../port.ts';
import { command, type EppRegistry, needed } from './registry.ts';
import { childOf, childrenOf, token, writer } from './wire/element.ts';
import { extensionOf } from './wire/response.ts';

const domain = writer('domain');
const launch = writer('launch');

/**
 * Those of the names that marks are claimed for (RFC 8334 §3.1.1). While a TLD is in its claims period they are
 * registered only by who acknowledges a notice, which nobody can be shown here.
 */
export async function claimedNames(
  registry: EppRegistry,
  [first, ...others]: readonly DomainQuestion[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (first === undefined || !registry.profileOf(first.tld).claims) return new Set();
  const names = [first, ...others].map((question) => domain('name', question.domain));
  const response = await command(
    registry,
    first,
    (uses) => {
      needed(uses, 'launch');
      return {
        name: 'domain check claims',
        verb: 'check',
        content: [domain('check', names)],
        extensions: [launch('check', launch('phase', 'claims'), { type: 'claims' })],
      };
    },
    'policy',
    signal,
  );
  const claimed = childrenOf(extensionOf(response, 'launch', 'chkData'), 'launch', 'cd')
    .map((checked) => childOf(checked, 'launch', 'name'))
    .filter((name) => name !== null && ['1', 'true'].includes(name.attributes.exists ?? ''));
  return new Set(claimed.map((name) => (name === null ? '' : token(name).toLowerCase())));
}

import { readFileSync } from 'node:fs';
import type { Json } from './json.ts';

/** The code that a guide prints for its readers, ready to run: its JavaScript blocks one after another. */
async function codeOf(guide: string): Promise<unknown> {
  const text = readFileSync(new URL(`../docs/guides/${guide}.md`, import.meta.url), 'utf8');
  const code = [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n');
  return await import(`data:text/javascript,${encodeURIComponent(code)}`);
}

/** What `verifying-the-ledger` gives its readers. Both throw for what is not genuine. */
interface LedgerVerifier {
  verifiedLedger(file: string, keys: Json): { account: string; currency: string };
  verifiedEntry(proof: Json, keys: Json): Json[];
}

export async function ledgerVerifier(): Promise<LedgerVerifier> {
  const code = await codeOf('verifying-the-ledger');
  if (!isLedgerVerifier(code)) throw new Error('the guide prints another verifier');
  return code;
}

function isLedgerVerifier(code: unknown): code is LedgerVerifier {
  return typeof code === 'object' && code !== null && 'verifiedLedger' in code && 'verifiedEntry' in code;
}

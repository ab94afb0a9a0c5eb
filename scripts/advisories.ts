import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** A registry that hangs is waited for in CI only, and there not for long either. */
const PATIENCE_MS = process.env.CI === 'true' ? 60_000 : 5_000;

/**
 * Whether no serious vulnerability is known of what is installed in production. A registry that does not answer is said,
 * not failed on.
 */
export async function advisories(): Promise<boolean> {
  const child = spawn('npm', ['audit', '--omit=dev', '--json'], {
    env: { ...process.env, npm_config_fetch_retries: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  child.on('error', () => {}); // it ends then, with nothing to read
  const counts = countsIn(await text(child.stdout));
  if (counts === undefined) {
    console.log('??     advisories: the registry has no audit report to give');
    return true;
  }
  const { high, critical } = counts;
  const passed = high + critical === 0;
  console.log(`${passed ? 'ok    ' : 'FAILED'} advisories (${high} high, ${critical} critical)`);
  return passed;
}

function countsIn(answer: string): { high: number; critical: number } | undefined {
  try {
    const report = JSON.parse(answer) as { metadata?: { vulnerabilities: Record<string, number> } };
    const { high = 0, critical = 0 } = report.metadata?.vulnerabilities ?? {};
    return report.metadata === undefined ? undefined : { high, critical };
  } catch {
    return undefined;
  }
}

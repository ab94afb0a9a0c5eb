import { z } from 'zod';
import { BackendUnavailable } from '../../outcome.ts';
import { PowerDnsApi, type PowerDnsServer } from './api.ts';

const DEADLINE_MS = 5_000;
const Server = z.object({ daemon_type: z.string(), version: z.string() });

/** What keeps a PowerDNS server from working for us, or null. */
export async function powerDnsProblem(server: PowerDnsServer): Promise<string | null> {
  try {
    const { daemon_type: type, version } = await new PowerDnsApi(server).get(
      '',
      Server,
      AbortSignal.timeout(DEADLINE_MS),
    );
    if (type !== 'authoritative') return `it is a ${type}, not an authoritative server`;
    const [major = 0, minor = 0] = version.split('.').map(Number);
    return major > 4 || (major === 4 && minor >= 7) ? null : `its version ${version} is older than 4.7`;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error instanceof BackendUnavailable && error.cause instanceof Error
      ? error.cause.message
      : error.message;
  }
}

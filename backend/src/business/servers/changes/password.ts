import { bulkUpdate } from '../../../db/changes.ts';
import type { MachineStatus } from '../../../drivers/hypervisor/port.ts';

/** The job that changes the password of a server, and the type of its task. */
export const PASSWORD = 'server.password';

export const PASSWORD_METHODS = ['guest_agent', 'cloud_init'] as const;
export type PasswordMethod = (typeof PASSWORD_METHODS)[number];

export type PasswordDecision =
  | { readonly kind: 'method'; readonly method: PasswordMethod; readonly requiresReboot: boolean }
  /** There is no answer, and without it no method can be chosen. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not_running' }
  | { readonly kind: 'no_guest_agent' }
  | { readonly kind: 'no_cloud_init' };

/**
 * How a password can be changed, by what the machine is doing now (null: it does not say): at once by the guest agent,
 * or by cloud-init when it starts the next time.
 */
export function decideMethod(
  asked: 'auto' | PasswordMethod,
  machine: Pick<MachineStatus, 'power' | 'guestAgent'> | null,
  hasCloudInit: boolean,
): PasswordDecision {
  if (machine === null) return { kind: 'unknown' };
  const runs = machine.power === 'running';
  const answers = runs && machine.guestAgent !== null;
  if (asked === 'guest_agent' && !runs) return { kind: 'not_running' };
  if (asked === 'guest_agent' && !answers) return { kind: 'no_guest_agent' };
  if (asked !== 'cloud_init' && answers)
    return { kind: 'method', method: 'guest_agent', requiresReboot: false };
  if (!hasCloudInit) return { kind: 'no_cloud_init' };
  return { kind: 'method', method: 'cloud_init', requiresReboot: machine.power !== 'stopped' };
}

/** The initial password holds no longer, and is forgotten (rule G3). */
export const initialPasswordForgotten = bulkUpdate<{ id: string }>(
  'servers',
  'initial_password',
  { id: 'uuid' },
  'password_sealed = NULL',
);

import { bulkUpdate } from '../../../db/changes.ts';
import type { PowerState, WantedPower } from '../../../drivers/hypervisor/port.ts';

/** The job that brings a machine to a power state for its customer, and the type of its task. */
export const POWER = 'server.power';

export const POWER_ACTIONS = ['start', 'stop', 'shutdown', 'reboot', 'reset', 'pause', 'resume'] as const;
export type PowerAction = (typeof POWER_ACTIONS)[number];

interface ActionRule {
  /** What the machine is to come to. */
  readonly expected: WantedPower;
  /** From which states; from an unknown one it is tried. */
  readonly from: readonly WantedPower[];
  /** Whether there is something to do although it is there already. */
  readonly always: boolean;
}

const RULES: Readonly<Record<PowerAction, ActionRule>> = {
  start: { expected: 'running', from: ['stopped', 'paused'], always: false },
  stop: { expected: 'stopped', from: ['running', 'paused'], always: false },
  // A machine that stands still does not hear ACPI.
  shutdown: { expected: 'stopped', from: ['running'], always: false },
  reboot: { expected: 'running', from: ['running'], always: true },
  reset: { expected: 'running', from: ['running', 'paused'], always: true },
  pause: { expected: 'paused', from: ['running'], always: false },
  resume: { expected: 'running', from: ['paused'], always: false },
};

export type PowerDecision =
  | { readonly kind: 'change' | 'unchanged'; readonly expected: WantedPower }
  | { readonly kind: 'refused'; readonly allowed: readonly WantedPower[] };

/** What an action comes to, by what the machine is doing now. */
export function decidePower(action: PowerAction, now: PowerState): PowerDecision {
  const { expected, from, always } = RULES[action];
  if (now === expected && !always) return { kind: 'unchanged', expected };
  if (now !== 'unknown' && !from.includes(now)) return { kind: 'refused', allowed: from };
  return { kind: 'change', expected };
}

/** Whether it waits for the system in the machine, which may never answer. */
export function asksTheSystem(action: PowerAction): action is 'shutdown' | 'reboot' {
  return action === 'shutdown' || action === 'reboot';
}

/** What its customer wants of the machine from now on. */
export const serverWantsPower = bulkUpdate<{ id: string; wanted_power: WantedPower }>(
  'servers',
  'wants_power',
  { id: 'uuid', wanted_power: 'text' },
  'wanted_power = n.wanted_power',
);

/** What its customer wants of the machine, and what it was brought to. */
export const serverSwitched = bulkUpdate<{
  id: string;
  wanted_power: WantedPower;
  power_state: PowerState;
}>(
  'servers',
  'switched',
  { id: 'uuid', wanted_power: 'text', power_state: 'text' },
  'wanted_power = n.wanted_power, power_state = n.power_state',
);

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideMethod } from './password.ts';

const AGENT = { osName: null, addresses: [] };
const SILENT = { power: 'running', guestAgent: null } as const;
const TALKS = { power: 'running', guestAgent: AGENT } as const;
const PAUSED = { power: 'paused', guestAgent: null } as const;
const OFF = { power: 'stopped', guestAgent: null } as const;

const CASES = [
  ['auto', TALKS, true, 'guest_agent'],
  ['auto', SILENT, true, 'cloud_init, restart'],
  ['auto', PAUSED, true, 'cloud_init, restart'],
  ['auto', OFF, true, 'cloud_init'],
  ['auto', OFF, false, 'no_cloud_init'],
  ['auto', TALKS, false, 'guest_agent'],
  ['auto', null, true, 'unknown'],
  ['guest_agent', TALKS, true, 'guest_agent'],
  ['guest_agent', SILENT, true, 'no_guest_agent'],
  ['guest_agent', OFF, true, 'not_running'],
  ['cloud_init', TALKS, true, 'cloud_init, restart'],
  ['cloud_init', OFF, true, 'cloud_init'],
  ['cloud_init', TALKS, false, 'no_cloud_init'],
] as const;

for (const [asked, machine, hasCloudInit, expected] of CASES) {
  const state =
    machine === null ? 'silent' : `${machine.power}, ${machine.guestAgent ? 'with' : 'without'} agent`;
  test(`asked for ${asked}, ${state}, ${hasCloudInit ? 'with' : 'without'} cloud-init: ${expected}`, () => {
    const decision = decideMethod(asked, machine, hasCloudInit);
    const said =
      decision.kind === 'method'
        ? `${decision.method}${decision.requiresReboot ? ', restart' : ''}`
        : decision.kind;
    assert.equal(said, expected);
  });
}

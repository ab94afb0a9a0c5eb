import type { Instant } from '../../../base/time.ts';
import { bulkUpdate } from '../../../db/changes.ts';
import type { PowerState } from '../../../drivers/hypervisor/port.ts';

/** The jobs that begin and end the rescue of a server, and the types of their tasks. */
export const RESCUE = 'server.rescue';
export const RESCUE_END = 'server.rescue_end';

/** It runs the rescue system, which it does whatever its power was to be. */
export const serverRescued = bulkUpdate<{ id: string; rescue_since: Instant; power_state: PowerState }>(
  'servers',
  'rescued',
  { id: 'uuid', rescue_since: 'timestamptz', power_state: 'text' },
  `rescue_since = n.rescue_since, power_state = n.power_state, wanted_power = 'running'`,
);

/** It may run the rescue system: until that is ended, it is taken to. */
export const serverMayBeRescued = bulkUpdate<{ id: string; rescue_since: Instant }>(
  'servers',
  'may_be_rescued',
  { id: 'uuid', rescue_since: 'timestamptz' },
  'rescue_since = n.rescue_since',
);

/** It runs its own system again. */
export const rescueEnded = bulkUpdate<{ id: string }>(
  'servers',
  'rescue_ended',
  { id: 'uuid' },
  'rescue_since = NULL',
);

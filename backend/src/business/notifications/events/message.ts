import { wireTime } from '../../../base/time.ts';
import type { LoggedEvent } from './log.ts';

const API_VERSION = '2';

export interface EventResource {
  readonly type: string;
  readonly uuid: string;
}

/** An event as the world sees it: as it is read, and as it is sent to whoever wants to be told. */
export function eventMessage(logged: LoggedEvent) {
  return {
    uuid: logged.id,
    type: logged.type,
    sequence: Number(logged.sequence),
    account_uuid: logged.account_id,
    resource: eventResource(logged),
    data: logged.body as Record<string, unknown>,
    created_at: wireTime(logged.created_at),
    api_version: API_VERSION,
  };
}

export function eventResource(logged: LoggedEvent): EventResource | null {
  return logged.resource_type === null || logged.resource_id === null
    ? null
    : { type: logged.resource_type, uuid: logged.resource_id };
}

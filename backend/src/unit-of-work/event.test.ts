import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENTS, type EventOf, type EventType } from './event.ts';

test('an event whose body is not the one that its type declares does not compile', () => {
  const event = (drafted: EventOf<EventType>) => Object.keys(drafted.body);
  const at = Temporal.Instant.from('2027-01-15T12:00:00Z');
  const body = { previous_expire_at: at, expire_at: at };
  assert.deepEqual(event({ type: 'license.renewed', body }), EVENTS['license.renewed'].body);
  assert.deepEqual(event({ type: 'license.deleted', body: {} }), []);
  // Each of these is refused by the compiler: `npm run check` fails as soon as one is not.
  // @ts-expect-error a member is misnamed
  event({ type: 'license.unbound', body: { ip_adress: '' } });
  // @ts-expect-error a member is too many
  event({ type: 'license.unbound', body: { ip_address: '', dayz: 1 } });
  // @ts-expect-error a member is missing
  event({ type: 'license.renewed', body: { expire_at: at } });
  // @ts-expect-error a member is of another type
  event({ type: 'license.renewed', body: { previous_expire_at: at, expire_at: '2027-01-15' } });
  // @ts-expect-error the event has no members
  event({ type: 'license.deleted', body: { dayz: 1 } });
  // @ts-expect-error there is no such event
  event({ type: 'license.vanished', body: {} });
});

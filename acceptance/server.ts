import assert from 'node:assert/strict';
import type { Api } from './api.ts';
import { hostname, serverOrders } from './catalogue.ts';
import { success } from './envelope.ts';
import { eventually } from './eventually.ts';
import { type JsonObject, objectAt, stringAt } from './json.ts';

/** Orders a server and waits until its job is done; gives the order's payload. */
export async function provisionedServer(api: Api, more: Record<string, unknown> = {}): Promise<JsonObject> {
  const [order] = await serverOrders(api);
  if (!order) assert.fail('no server package is in stock');
  const answer = await api.post('server/order', { ...order, hostname: hostname(), ...more });
  const data = success(answer, undefined, answer.status === 200 ? 200 : 202);
  const task = await finishedTask(api, stringAt(data, '/task/uuid'));
  assert.equal(task.state, 'succeeded', JSON.stringify(task));
  return data;
}

/** Asks `task/details` until the task has ended, one way or the other. */
export function finishedTask(api: Api, uuid: string): Promise<JsonObject> {
  return eventually(`the end of task ${uuid}`, async () => {
    const task = objectAt(success(await api.get('task/details', { uuid })), '/task');
    return ['succeeded', 'failed', 'cancelled'].includes(stringAt(task, '/state')) ? task : undefined;
  });
}

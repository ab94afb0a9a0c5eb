import { BackendUnavailable } from '../../outcome.ts';
import type { RegistryMessage } from '../port.ts';
import { findDomain, statusesOf } from './domain.ts';
import { refusalOf } from './refusal.ts';
import type { EppRegistry } from './registry.ts';
import { readTransfer } from './transfer.ts';
import { type Element, textOf } from './wire/element.ts';
import { NS } from './wire/namespace.ts';
import type { EppResponse } from './wire/response.ts';

type About = RegistryMessage['about'];

/** The oldest message of the queue (RFC 5730 §2.9.2.3). */
export async function nextMessage(registry: EppRegistry): Promise<RegistryMessage | null> {
  const response = await registry.line.send(() => ({
    name: 'poll req',
    verb: 'poll',
    attributes: { op: 'req' },
    content: [],
    extensions: [],
  }));
  const { code, queue } = response;
  if (code === 1300) return null;
  if (code !== 1301 || queue === null) throw refusalOf(response);
  if (queue.id === '') throw new Error('the registry polls a message without an id');
  return {
    id: queue.id,
    at: queue.at ?? registry.clock.now(),
    text: queue.text,
    about: await aboutOf(registry, response),
  };
}

/** 2303: it was acknowledged before. */
export async function acknowledge({ line }: EppRegistry, messageId: string): Promise<void> {
  const response = await line.send(() => ({
    name: 'poll ack',
    verb: 'poll',
    attributes: { op: 'ack', msgID: messageId },
    content: [],
    extensions: [],
  }));
  if (response.code >= 2000 && response.code !== 2303) throw refusalOf(response);
}

/**
 * null: what it says is left to people, who read its text. What cannot be understood is among that: a message that
 * nobody takes off the queue would keep back all those behind it.
 */
async function aboutOf(registry: EppRegistry, response: EppResponse): Promise<About> {
  try {
    return await accountResource(registry, response);
  } catch (error) {
    if (error instanceof BackendUnavailable) throw error;
    return null;
  }
}

async function accountResource(registry: EppRegistry, response: EppResponse): Promise<About> {
  const data = [...response.data, ...unhandled(response)].find(({ namespace }) => namespace === NS.domain);
  if (data === undefined) return null;
  if (data.name === 'trnData') return { kind: 'transfer', transfer: readTransfer(data, registry.clientId) };
  const domain = textOf(data, 'domain', 'name')?.toLowerCase() ?? null;
  if (domain === null) return null;
  if (data.name === 'renData') return { kind: 'domain', domain, change: 'renewed' };
  if (data.name === 'infData')
    return { kind: 'domain', domain, change: changeOf(statusesOf(data, response), response) };
  // What became of an action that was pending is seen at the domain, not in the message (RFC 5731 §3.3).
  if (data.name !== 'panData') return null;
  const tld = domain.slice(domain.indexOf('.') + 1);
  const found = await findDomain(registry, { domain, tld, registry: '' });
  if (found === null) return { kind: 'domain', domain, change: 'deleted' };
  return { kind: 'domain', domain, change: changeOf(found.statuses, response) };
}

/** RFC 9038 §3: what a client did not log in for comes as a value of the result. */
function unhandled({ details }: EppResponse): readonly Element[] {
  return details.flatMap(({ value }) => (value === null ? [] : [value]));
}

/** Registries tell of their own renewals in the text only; whether a domain is on its way out, its statuses tell. */
function changeOf(statuses: readonly string[], { queue }: EppResponse): 'renewed' | 'deleted' | 'updated' {
  if (statuses.includes('pendingDelete') || statuses.includes('redemptionPeriod')) return 'deleted';
  return /renew/i.test(queue?.text ?? '') ? 'renewed' : 'updated';
}

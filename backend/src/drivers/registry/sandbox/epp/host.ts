import { readAddresses, writeAddresses } from '../../epp/address.ts';
import { dateTime } from '../../epp/wire/date-time.ts';
import { childOf, childrenOf, type Element, textOf, textsOf, writer } from '../../epp/wire/element.ts';
import type { HostInfo } from '../commands.ts';
import type { Handler } from './caller.ts';
import { names, requiredName } from './read.ts';
import { CommandRefused, refused } from './result.ts';

const host = writer('host');

/** RFC 5732, by the verbs of its commands. */
export const HOST: Readonly<Record<string, Handler>> = {
  async check({ commands }, { object }) {
    const asked = names(textsOf(object, 'host', 'name'));
    if (asked.length === 0) throw new CommandRefused(2003, 'host:name is missing');
    const reply = await commands.host.check(asked);
    if (!reply.ok) return refused(reply);
    const data = reply.data.map(({ name, available }) =>
      host('cd', [
        host('name', name, { avail: available ? '1' : '0' }),
        available ? null : host('reason', 'In use'),
      ]),
    );
    return { code: reply.code, data: [host('chkData', data)] };
  },

  async info({ commands }, { object }) {
    const reply = await commands.host.info(requiredName(object, 'host'));
    return reply.ok ? { code: reply.code, data: [infData(reply.data)] } : refused(reply);
  },

  async create({ commands }, { object }) {
    const name = requiredName(object, 'host');
    const reply = await commands.host.create(name, readAddresses(childrenOf(object, 'host', 'addr')));
    if (!reply.ok) return refused(reply);
    const created = dateTime(reply.data.createdAt);
    return { code: reply.code, data: [host('creData', [host('name', name), host('crDate', created)])] };
  },

  async update({ commands }, { object }) {
    const [add, remove, change] = ['add', 'rem', 'chg'].map((part) => childOf(object, 'host', part));
    for (const part of [add, remove])
      if (childOf(part ?? null, 'host', 'status') !== null)
        throw new CommandRefused(2102, 'hosts here have no statuses to set');
    const newName = textOf(change ?? null, 'host', 'name')?.toLowerCase() ?? null;
    const reply = await commands.host.update({
      name: requiredName(object, 'host'),
      add: readAddresses(childrenOf(add ?? null, 'host', 'addr')),
      remove: readAddresses(childrenOf(remove ?? null, 'host', 'addr')),
      ...(newName === null ? {} : { newName }),
    });
    return reply.ok ? { code: reply.code } : refused(reply);
  },

  async delete({ commands }, { object }) {
    const reply = await commands.host.delete(requiredName(object, 'host'));
    return reply.ok ? { code: reply.code } : refused(reply);
  },
};

function infData(info: HostInfo): Element {
  return host('infData', [
    host('name', info.name),
    host('roid', info.roid),
    ...info.statuses.map((status) => host('status', null, { s: status })),
    ...writeAddresses(host, 'addr', info),
    host('clID', info.sponsor),
    host('crID', info.createdBy),
    host('crDate', dateTime(info.createdAt)),
    info.updatedBy === null ? null : host('upID', info.updatedBy),
    info.updatedAt === null ? null : host('upDate', dateTime(info.updatedAt)),
  ]);
}

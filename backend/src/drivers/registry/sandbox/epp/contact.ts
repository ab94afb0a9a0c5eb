import { optional } from '../../epp/postal.ts';
import { dateTime } from '../../epp/wire/date-time.ts';
import { childOf, childrenOf, type Element, textOf, textsOf, writer } from '../../epp/wire/element.ts';
import type { ContactCard, ContactInfo } from '../commands.ts';
import { type Handler, withExtensions } from './caller.ts';
import { citizenshipOf, readCitizenship } from './citizenship.ts';
import { requiredText } from './read.ts';
import { CommandRefused, refused } from './result.ts';

const contact = writer('contact');

/** RFC 5733, by the verbs of its commands. Contacts here do not move: there is no transfer. */
export const CONTACT: Readonly<Record<string, Handler>> = {
  async check({ commands }, { object }) {
    const asked = textsOf(object, 'contact', 'id');
    if (asked.length === 0) throw new CommandRefused(2003, 'contact:id is missing');
    const reply = await commands.contact.check(asked);
    if (!reply.ok) return refused(reply);
    const data = reply.data.map(({ handle, available }) =>
      contact('cd', [
        contact('id', handle, { avail: available ? '1' : '0' }),
        available ? null : contact('reason', 'In use'),
      ]),
    );
    return { code: reply.code, data: [contact('chkData', data)] };
  },

  async info(caller, { object }) {
    const reply = await caller.commands.contact.info(requiredText(object, 'contact', 'id'));
    if (!reply.ok) return refused(reply);
    const citizenship = citizenshipOf(reply.data);
    return withExtensions(
      caller,
      { code: reply.code, data: [infData(reply.data)] },
      citizenship === null ? [] : [['citizenship', citizenship]],
    );
  },

  async create({ commands }, { object, extensions }) {
    const handle = requiredText(object, 'contact', 'id');
    const card = { ...readCard(object), extra: readCitizenship('create', extensions) ?? {} };
    const reply = await commands.contact.create(handle, card);
    if (!reply.ok) return refused(reply);
    const { createdAt } = reply.data;
    return {
      code: reply.code,
      data: [contact('creData', [contact('id', handle), contact('crDate', dateTime(createdAt))])],
    };
  },

  async update({ commands }, { object, extensions }) {
    const handle = requiredText(object, 'contact', 'id');
    if (childOf(object, 'contact', 'add') !== null || childOf(object, 'contact', 'rem') !== null)
      throw new CommandRefused(2102, 'contacts here have no statuses to set');
    const change = childOf(object, 'contact', 'chg');
    if (change === null) throw new CommandRefused(2003, 'contact:chg is missing');
    const extra = readCitizenship('update', extensions);
    const reply = await commands.contact.update(handle, {
      ...readChange(change),
      ...(extra === null ? {} : { extra }),
    });
    return reply.ok ? { code: reply.code } : refused(reply);
  },

  async delete({ commands }, { object }) {
    const reply = await commands.contact.delete(requiredText(object, 'contact', 'id'));
    return reply.ok ? { code: reply.code } : refused(reply);
  },
};

function readCard(object: Element): Omit<ContactCard, 'extra'> {
  const postal = postalOf(object);
  if (postal === null) throw new CommandRefused(2003, 'contact:postalInfo is missing');
  const address = childOf(postal, 'contact', 'addr');
  return {
    name: requiredText(postal, 'contact', 'name'),
    organisation: textOf(postal, 'contact', 'org') || null,
    ...readAddress(address),
    city: requiredText(address, 'contact', 'city'),
    country: requiredText(address, 'contact', 'cc').toUpperCase(),
    phone: textOf(object, 'contact', 'voice') || null,
    fax: textOf(object, 'contact', 'fax') || null,
    email: requiredText(object, 'contact', 'email'),
    disclosed: readDisclosed(object) ?? false,
  };
}

/** RFC 5733 §3.2.4: what is left out stays; an address comes as a whole. */
function readChange(change: Element): Partial<ContactCard> {
  const postal = postalOf(change);
  const address = childOf(postal, 'contact', 'addr');
  const disclosed = readDisclosed(change);
  const text = (parent: Element | null, member: string) => textOf(parent, 'contact', member);
  const [name, organisation] = [text(postal, 'name'), text(postal, 'org')];
  const [phone, fax, email] = [text(change, 'voice'), text(change, 'fax'), text(change, 'email')];
  return {
    ...(name === null ? {} : { name }),
    ...(organisation === null ? {} : { organisation: organisation || null }),
    ...(address === null ? {} : readAddress(address)),
    ...(phone === null ? {} : { phone: phone || null }),
    ...(fax === null ? {} : { fax: fax || null }),
    ...(email === null ? {} : { email }),
    ...(disclosed === null ? {} : { disclosed }),
  };
}

function readAddress(address: Element | null) {
  return {
    street: textsOf(address, 'contact', 'street').filter((line) => line !== ''),
    city: textOf(address, 'contact', 'city') ?? '',
    region: textOf(address, 'contact', 'sp') || null,
    zip: textOf(address, 'contact', 'pc') || null,
    country: (textOf(address, 'contact', 'cc') ?? '').toUpperCase(),
  };
}

/** One address is kept: the one in letters of the country, if both are told. */
function postalOf(parent: Element): Element | null {
  const forms = childrenOf(parent, 'contact', 'postalInfo');
  return forms.find(({ attributes }) => attributes.type === 'loc') ?? forms[0] ?? null;
}

function readDisclosed(parent: Element): boolean | null {
  const flag = childOf(parent, 'contact', 'disclose')?.attributes.flag;
  return flag === undefined ? null : flag === '1' || flag === 'true';
}

function infData(info: ContactInfo): Element {
  const texts = [info.name, info.organisation ?? '', ...info.street, info.city, info.region ?? ''];
  const type = texts.every((text) => /^[\x20-\x7e]*$/.test(text)) ? 'int' : 'loc';
  return contact('infData', [
    contact('id', info.handle),
    contact('roid', info.roid),
    ...info.statuses.map((status) => contact('status', null, { s: status })),
    contact(
      'postalInfo',
      [
        contact('name', info.name),
        optional('org', info.organisation, 'new'),
        contact('addr', [
          ...info.street.map((line) => contact('street', line)),
          contact('city', info.city),
          optional('sp', info.region, 'new'),
          optional('pc', info.zip, 'new'),
          contact('cc', info.country),
        ]),
      ],
      { type },
    ),
    optional('voice', info.phone, 'new'),
    optional('fax', info.fax, 'new'),
    contact('email', info.email),
    contact('clID', info.sponsor),
    contact('crID', info.createdBy),
    contact('crDate', dateTime(info.createdAt)),
    optional('upID', info.updatedBy, 'new'),
    optional('upDate', info.updatedAt === null ? null : dateTime(info.updatedAt), 'new'),
    disclosure(info, type),
  ]);
}

function disclosure({ disclosed }: ContactInfo, type: 'int' | 'loc'): Element {
  const listed = [
    ...['name', 'org', 'addr'].map((name) => contact(name, null, { type })),
    ...['voice', 'fax', 'email'].map((name) => contact(name)),
  ];
  return contact('disclose', listed, { flag: disclosed ? '1' : '0' });
}

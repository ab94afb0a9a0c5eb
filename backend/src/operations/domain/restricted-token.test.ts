import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOMAIN_ORDER, OWNER, openDomains } from '../../../test/domains.ts';
import { SERVER_ORDER } from '../../../test/servers.ts';

const domains = await openDomains();
const { requests } = domains;

async function accepted(path: string, input: object, sent: { token: string }) {
  const received = await requests.call(path, input, sent);
  assert.equal(received.status, 202, received.text);
  return received.body.data;
}

const who = await domains.customer(100_000n);
const whole = { token: who.secret };
const mine = await domains.register(who, 'mine.com');
const other = await domains.register(who, 'other.com', {
  contacts: { owner: { ...OWNER, email: 'somebody-else@example.com' } },
});
const order = { ...SERVER_ORDER, tos: true, cancellation: true };
const [server, otherServer] = [
  (await accepted('server/order', order, whole)).server_uuid,
  (await accepted('server/order', order, whole)).server_uuid,
];
await domains.work();
const { token } = await requests.data(
  'account/token-create',
  {
    name: 'one',
    scopes: ['*'],
    resource_allowlist: [mine, server],
    may_order_new: true,
    spending_limit_per_day: 1000,
  },
  whole,
);
const ownerOf = async (uuid: string) =>
  (await requests.data('domain/contact-get', { uuid }, whole)).contacts.owner.uuid;
const [mineOwner, otherOwner] = [await ownerOf(mine), await ownerOf(other)];

test('a token for certain things names no other contact than those of its domains', async () => {
  const ordering = (contact_uuid: string, domain: string) => ({
    ...DOMAIN_ORDER,
    domain,
    contacts: { owner: { contact_uuid } },
  });
  await requests.refused('not_found', 'domain/order', ordering(otherOwner, 'reads-it.com'), { token });
  const many = { ...ordering(otherOwner, ''), names: [{ domain: 'reads-it.com' }] };
  const { domain: _, period: __, ...basket } = many;
  await requests.refused('not_found', 'domain/order-many', basket, { token });
  const update = { uuid: mine, contacts: { tech: { contact_uuid: otherOwner } } };
  await requests.refused('not_found', 'domain/contact-update', update, { token });
  assert.equal(
    (await accepted('domain/order', ordering(mineOwner, 'may-be.com'), { token })).state,
    'PENDING',
  );
  await accepted('domain/order', ordering(otherOwner, 'whole.com'), whole);
});

test('nor does it learn the addresses of other servers by pointing a zone at them', async () => {
  const ordering = (server_uuid: string, domain: string) => ({
    ...DOMAIN_ORDER,
    domain,
    dns: { template: 'server', server_uuid },
  });
  const refused = await requests.refused(
    'validation_failed',
    'domain/order',
    ordering(otherServer, 'points.com'),
    {
      token,
    },
  );
  assert.deepEqual(refused.fields, ['/dns/server_uuid']);
  await accepted('domain/order', ordering(server, 'points.com'), { token });
  await accepted('domain/order', ordering(otherServer, 'points-too.com'), whole);
});

import { dateTime } from '../../epp/wire/date-time.ts';
import { type Element, writer } from '../../epp/wire/element.ts';
import type { Vocabulary } from '../../epp/wire/namespace.ts';
import type { DelegationSigner } from '../../port.ts';
import type { DomainInfo, TransferInfo } from '../commands.ts';

const domain = writer('domain');
const rgp = writer('rgp');
const secDNS = writer('secDNS');

export function infData(info: DomainInfo): Element {
  const optional = (name: string, text: string | null) => (text === null ? null : domain(name, text));
  const time = (name: string, at: Temporal.Instant | null) =>
    optional(name, at === null ? null : dateTime(at));
  return domain('infData', [
    domain('name', info.name),
    domain('roid', info.roid),
    ...info.statuses.map((status) => domain('status', null, { s: status })),
    optional('registrant', info.registrant),
    ...info.contacts.map(({ role, handle }) => domain('contact', handle, { type: role })),
    info.hosts.length === 0
      ? null
      : domain(
          'ns',
          info.hosts.map((host) => domain('hostObj', host)),
        ),
    ...info.subordinateHosts.map((host) => domain('host', host)),
    domain('clID', info.sponsor),
    domain('crID', info.createdBy),
    time('crDate', info.createdAt),
    optional('upID', info.updatedBy),
    time('upDate', info.updatedAt),
    time('exDate', info.expireAt),
    time('trDate', info.transferredAt),
    info.authcode === null ? null : domain('authInfo', domain('pw', info.authcode)),
  ]);
}

/** RFC 3915 and RFC 5910; the schema of the first has room for one status in each element. */
export function infExtensions({ grace, ds }: DomainInfo): readonly (readonly [Vocabulary, Element])[] {
  return [
    ...grace.map((status) => ['rgp', rgp('infData', rgp('rgpStatus', null, { s: status }))] as const),
    ...(ds.length === 0 ? [] : [['secDNS', secDNS('infData', ds.map(dsData))] as const]),
  ];
}

export function trnData(transfer: TransferInfo): Element {
  return domain('trnData', [
    domain('name', transfer.name),
    domain('trStatus', transfer.status),
    domain('reID', transfer.requestedBy),
    domain('reDate', dateTime(transfer.requestedAt)),
    domain('acID', transfer.actedBy),
    domain('acDate', dateTime(transfer.actAt)),
    transfer.expireAt === null ? null : domain('exDate', dateTime(transfer.expireAt)),
  ]);
}

function dsData({ keyTag, algorithm, digestType, digest }: DelegationSigner): Element {
  return secDNS('dsData', [
    secDNS('keyTag', String(keyTag)),
    secDNS('alg', String(algorithm)),
    secDNS('digestType', String(digestType)),
    secDNS('digest', digest),
  ]);
}

import { dateTime } from '../../epp/wire/date-time.ts';
import { childOf, textsOf, writer } from '../../epp/wire/element.ts';
import type { CheckedDomain, TransferInfo } from '../commands.ts';
import type { Reply } from '../reply.ts';
import { type Asked, type Caller, type Handler, withExtensions } from './caller.ts';
import { readChange, readCreate, readReport } from './domain-read.ts';
import { infData, infExtensions, trnData } from './domain-written.ts';
import { feeCheckData, feeData, readFee } from './money.ts';
import { extensionIn, names, readAuthInfo, readPeriod, requiredName, requiredText } from './read.ts';
import { CommandRefused, refused } from './result.ts';

const MOST_CHECKED = 100;
const domain = writer('domain');

/** RFC 5731, by the verbs of its commands. */
export const DOMAIN: Readonly<Record<string, Handler>> = {
  async check(caller, { object, extensions }) {
    const asked = names(textsOf(object, 'domain', 'name'));
    if (asked.length === 0) throw new CommandRefused(2003, 'domain:name is missing');
    if (asked.length > MOST_CHECKED) throw new CommandRefused(2306, `at most ${MOST_CHECKED} names at once`);
    const reply = await caller.commands.domain.check(asked);
    if (!reply.ok) return refused(reply);
    const fees = extensionIn(extensions, 'fee');
    return withExtensions(
      caller,
      { code: reply.code, data: [domain('chkData', reply.data.map(checkedData))] },
      fees === null ? [] : [['fee', feeCheckData(fees, reply.data)]],
    );
  },

  async info(caller, { object }) {
    const authcode = readAuthInfo(object) ?? undefined;
    const reply = await caller.commands.domain.info(requiredName(object, 'domain'), authcode);
    if (!reply.ok) return refused(reply);
    return withExtensions(
      caller,
      { code: reply.code, data: [infData(reply.data)] },
      infExtensions(reply.data),
    );
  },

  async create(caller, { object, extensions }) {
    const wanted = readCreate(object, extensionIn(extensions, 'secDNS'));
    const fee = readFee(extensionIn(extensions, 'fee'), caller.currency);
    const reply = await caller.commands.domain.create({ ...wanted, fee });
    if (!reply.ok) return refused(reply);
    const { name, createdAt, expireAt } = reply.data;
    const data = domain('creData', [
      domain('name', name),
      domain('crDate', dateTime(createdAt)),
      expireAt === null ? null : domain('exDate', dateTime(expireAt)),
    ]);
    return withExtensions(caller, { code: reply.code, data: [data] }, [
      ['fee', feeData('creData', reply.data.fee)],
    ]);
  },

  async renew(caller, { object, extensions }) {
    const reply = await caller.commands.domain.renew({
      name: requiredName(object, 'domain'),
      currentExpiry: requiredText(object, 'domain', 'curExpDate').slice(0, 10),
      years: readPeriod(object) ?? 1,
      fee: readFee(extensionIn(extensions, 'fee'), caller.currency),
    });
    if (!reply.ok) return refused(reply);
    const { name, expireAt, fee } = reply.data;
    const data = domain('renData', [domain('name', name), domain('exDate', dateTime(expireAt))]);
    return withExtensions(caller, { code: reply.code, data: [data] }, [['fee', feeData('renData', fee)]]);
  },

  async transfer(caller, asked) {
    const reply = await transfer(caller, asked);
    return reply.ok ? { code: reply.code, data: [trnData(reply.data)] } : refused(reply);
  },

  async update(caller, { object, extensions }) {
    const restore = childOf(extensionIn(extensions, 'rgp'), 'rgp', 'restore');
    if (restore === null) {
      const change = readChange(object, extensionIn(extensions, 'secDNS'));
      const reply = await caller.commands.domain.update(change);
      return reply.ok ? { code: reply.code } : refused(reply);
    }
    const name = requiredName(object, 'domain');
    if (restore.attributes.op === 'report') {
      const report = childOf(restore, 'rgp', 'report');
      if (report === null) throw new CommandRefused(2003, 'rgp:report is missing');
      const reply = await caller.commands.domain.reportRestore(readReport(name, report));
      return reply.ok ? { code: reply.code } : refused(reply);
    }
    const fee = readFee(extensionIn(extensions, 'fee'), caller.currency);
    const reply = await caller.commands.domain.requestRestore(name, fee);
    if (!reply.ok) return refused(reply);
    const pending = writer('rgp')('upData', writer('rgp')('rgpStatus', null, { s: 'pendingRestore' }));
    return withExtensions(caller, { code: reply.code }, [
      ['rgp', pending],
      ['fee', feeData('updData', reply.data.fee)],
    ]);
  },

  async delete(caller, { object }) {
    const reply = await caller.commands.domain.delete(requiredName(object, 'domain'));
    return reply.ok ? { code: reply.code } : refused(reply);
  },
};

function transfer(
  { commands, currency }: Caller,
  { operation, object, extensions }: Asked,
): Promise<Reply<TransferInfo>> {
  const name = requiredName(object, 'domain');
  const authcode = readAuthInfo(object);
  if (operation === 'query') return commands.domain.queryTransfer(name, authcode ?? undefined);
  if (operation === 'cancel') return commands.domain.cancelTransfer(name);
  if (operation === 'approve') return commands.domain.approveTransfer(name);
  if (operation === 'reject') return commands.domain.rejectTransfer(name);
  if (operation !== 'request') throw new CommandRefused(2001, 'transfer has an unknown op');
  if (authcode === null) throw new CommandRefused(2003, 'domain:authInfo is missing');
  const fee = readFee(extensionIn(extensions, 'fee'), currency);
  return commands.domain.requestTransfer({ name, authcode, years: readPeriod(object), fee });
}

const REASONS = { taken: 'In use', reserved: 'Reserved', invalid: 'Invalid name' } as const;

function checkedData({ name, available, reason }: CheckedDomain) {
  return domain('cd', [
    domain('name', name, { avail: available ? '1' : '0' }),
    reason === null ? null : domain('reason', REASONS[reason]),
  ]);
}

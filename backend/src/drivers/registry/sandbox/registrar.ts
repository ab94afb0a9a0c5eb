import { type Instant, isBefore } from '../../../base/time.ts';
import { BackendUnavailable } from '../../outcome.ts';
import { delegationProblem, isBelow } from '../delegation.ts';
import type {
  AcceptedFee,
  DomainRef,
  NameServerHost,
  RegisteredDomain,
  RegistryMessage,
  RegistryOutcome,
  RegistryRefusal,
  RegistryTransfer,
  WantedDomain,
  WantedRegistration,
  WantedRenewal,
  WantedTransfer,
} from '../port.ts';
import { domainAnswer, messageAnswer, transferAnswer } from './answer.ts';
import type { DomainInfo, RegistrarCommands } from './commands.ts';
import { ensureContacts, ensureHosts, rolesOf } from './delegation.ts';
import { differenceOf } from './difference.ts';
import { ensure } from './ensure.ts';
import { type FailureCode, type Reply, there } from './reply.ts';
import { restoreDomain } from './restore.ts';
import { updateDomain } from './update.ts';

/** The registry port's commands for one registrar, by what EPP can express: each looks before it changes anything. */
export class Registrar {
  protected readonly commands: RegistrarCommands;

  constructor(commands: RegistrarCommands) {
    this.commands = commands;
  }

  async info({ domain }: DomainRef, authcode?: string): Promise<RegisteredDomain | null> {
    const found = await this.commands.domain.info(domain, authcode);
    // A wrong code tells no more than none does.
    const refused = !found.ok && found.code === 2202;
    const told = refused ? await this.commands.domain.info(domain) : found;
    const info = there(told, NOT_REGISTERED);
    if (info === null) return null;
    const answer = await this.#answer(info);
    return refused ? { ...answer, authcodeRefused: true } : answer;
  }

  async transfer({ domain }: DomainRef): Promise<RegistryTransfer | null> {
    const found = there(await this.commands.domain.queryTransfer(domain), NO_TRANSFER);
    return found === null ? null : transferAnswer(found, this.commands.registrar);
  }

  async register(wanted: WantedRegistration): Promise<RegistryOutcome<RegisteredDomain>> {
    const { domain, tld, registry, nameservers, since } = wanted;
    if (delegationProblem(domain, nameservers) !== null)
      return { kind: 'refused', reason: 'nameserver_invalid' };
    const registered = await ensure(
      async () => {
        const info = await this.#own(domain);
        return info === null || isBefore(info.createdAt, since) ? null : info;
      },
      () => this.#create(wanted),
    );
    if (registered.kind !== 'done') return registered;
    // Name servers below the domain can exist only once it does.
    return await this.update({ domain, tld, registry, nameservers });
  }

  async renew(wanted: WantedRenewal): Promise<RegistryOutcome<{ readonly expireAt: Instant }>> {
    const { domain: name, years, fee, believedExpireAt } = wanted;
    const currentExpiry = day(believedExpireAt);
    return await ensure(
      async () => {
        const expireAt = (await this.#own(name))?.expireAt ?? null;
        return expireAt !== null && day(expireAt) > currentExpiry ? { expireAt } : null;
      },
      () => this.commands.domain.renew({ name, currentExpiry, years, fee }),
    );
  }

  async requestTransfer(wanted: WantedTransfer): Promise<RegistryOutcome<RegistryTransfer>> {
    const { domain: name, authcode, years, fee, since } = wanted;
    return await ensure(
      async () => {
        const known = await this.transfer(wanted);
        if (known?.requestedHere !== true) return null;
        return known.status === 'pending' || !isBefore(known.requestedAt, since) ? known : null;
      },
      () => this.commands.domain.requestTransfer({ name, authcode, years, fee }),
    );
  }

  cancelTransfer(ref: DomainRef): Promise<RegistryOutcome<null>> {
    return this.#endTransfer(ref, true, () => this.commands.domain.cancelTransfer(ref.domain));
  }

  answerTransfer(ref: DomainRef, answer: 'approve' | 'reject'): Promise<RegistryOutcome<null>> {
    const { domain } = this.commands;
    return this.#endTransfer(ref, false, () =>
      answer === 'approve' ? domain.approveTransfer(ref.domain) : domain.rejectTransfer(ref.domain),
    );
  }

  async update(wanted: WantedDomain): Promise<RegistryOutcome<RegisteredDomain>> {
    const { domain: name, nameservers = [], contacts = {} } = wanted;
    // Nothing is made for what is not ours; why that refuses, its own command says.
    if ((await this.#own(name)) !== null) {
      if (delegationProblem(name, nameservers) !== null)
        return { kind: 'refused', reason: 'nameserver_invalid' };
      const unfit =
        (await ensureContacts(this.commands, contacts)) ??
        (await ensureHosts(this.commands, name, nameservers));
      if (unfit !== null) return { kind: 'refused', reason: unfit };
    }
    const updated = await ensure(
      async () => {
        const info = await this.#own(name);
        return info !== null && differenceOf(info, wanted) === null ? info : null;
      },
      async () => updateDomain(this.commands.domain, await this.#own(name), wanted),
    );
    return await this.#answered(updated);
  }

  async delete({ domain }: DomainRef): Promise<RegistryOutcome<RegisteredDomain | null>> {
    const deleted = await ensure<{ readonly left: DomainInfo | null }>(
      async () => {
        const left = await this.#own(domain);
        return left === null || isDeleted(left) ? { left } : null;
      },
      () => this.commands.domain.delete(domain),
    );
    if (deleted.kind !== 'done') return deleted;
    const { left } = deleted.result;
    return { kind: 'done', result: left === null ? null : await this.#answer(left) };
  }

  async restore({
    domain,
    fee,
  }: DomainRef & { readonly fee: AcceptedFee }): Promise<RegistryOutcome<RegisteredDomain>> {
    const restored = await ensure(
      async () => {
        const info = await this.#own(domain);
        return info === null || isDeleted(info) ? null : info;
      },
      async () => restoreDomain(this.commands.domain, await this.#own(domain), domain, fee),
    );
    return await this.#answered(restored);
  }

  async nextMessage(): Promise<RegistryMessage | null> {
    const polled = await this.commands.poll.request();
    if (!polled.ok) throw new BackendUnavailable('sandbox', new Error(polled.reason));
    const { message } = polled.data;
    return message === null ? null : messageAnswer(message, this.commands.registrar);
  }

  async acknowledge(messageId: string): Promise<void> {
    const gone = await this.commands.poll.acknowledge(messageId);
    if (!gone.ok && gone.code !== 2303) throw new BackendUnavailable('sandbox', new Error(gone.reason));
  }

  async #create(wanted: WantedRegistration): Promise<Reply<unknown> | RegistryRefusal> {
    const { domain: name, nameservers, registrant, years, ds, authcode, fee } = wanted;
    const outside = nameservers.filter(({ hostname }) => !isBelow(hostname, name));
    const refusal =
      (await ensureContacts(this.commands, wanted)) ?? (await ensureHosts(this.commands, name, outside));
    if (refusal !== null) return refusal;
    const hosts = outside.map(({ hostname }) => hostname);
    const contacts = rolesOf(wanted);
    const created = { name, years, registrant: registrant.handle, contacts, hosts, ds, authcode, fee };
    return await this.commands.domain.create(created);
  }

  async #endTransfer(
    ref: DomainRef,
    requestedHere: boolean,
    command: () => Promise<Reply<unknown>>,
  ): Promise<RegistryOutcome<null>> {
    const ended = await ensure(async () => {
      const known = await this.transfer(ref);
      return known?.status === 'pending' && known.requestedHere === requestedHere ? null : { known };
    }, command);
    return ended.kind === 'done' ? { kind: 'done', result: null } : ended;
  }

  /** null: not registered, or not ours. */
  async #own(domain: string): Promise<DomainInfo | null> {
    const info = there(await this.commands.domain.info(domain), NOT_REGISTERED);
    return info?.sponsor === this.commands.registrar ? info : null;
  }

  async #answered(outcome: RegistryOutcome<DomainInfo>): Promise<RegistryOutcome<RegisteredDomain>> {
    return outcome.kind === 'done' ? { kind: 'done', result: await this.#answer(outcome.result) } : outcome;
  }

  async #answer(info: DomainInfo): Promise<RegisteredDomain> {
    const nameservers = await Promise.all(info.hosts.map((name) => this.#nameserver(name, info)));
    return domainAnswer(info, nameservers, this.commands.registrar);
  }

  /** Glue is told of our domains. */
  async #nameserver(hostname: string, { sponsor, subordinateHosts }: DomainInfo): Promise<NameServerHost> {
    const asked = sponsor === this.commands.registrar && subordinateHosts.includes(hostname);
    const glue = asked ? await this.commands.host.info(hostname) : null;
    const { ipv4, ipv6 } = glue?.ok ? glue.data : { ipv4: [], ipv6: [] };
    return { hostname, ipv4, ipv6 };
  }
}

/** RFC 5730 §3: of what is not there, and of transfers that there are none of or that are none of our business. */
const NOT_REGISTERED: readonly FailureCode[] = [2303];
const NO_TRANSFER: readonly FailureCode[] = [2201, 2301, 2303];

function isDeleted({ grace }: DomainInfo): boolean {
  return grace.some((stage) => ['redemptionPeriod', 'pendingRestore', 'pendingDelete'].includes(stage));
}

/** RFC 5731 §3.2.3 compares days, and so do we: ends that differ by less are the same. */
function day(instant: Instant): string {
  return instant.toString().slice(0, 10);
}

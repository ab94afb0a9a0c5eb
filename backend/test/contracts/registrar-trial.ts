import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Instant } from '../../src/base/time.ts';
import type {
  DomainRef,
  NameServerHost,
  RegisteredDomain,
  RegistrarDriver,
  RegistryContact,
  RegistryMessage,
  RegistryOutcome,
  RegistryRefusal,
  WantedRegistration,
  WantedTransfer,
} from '../../src/drivers/registry/port.ts';
import { questionFor } from './registry.ts';

/**
 * timeout_before, timeout_after: no answer comes, before or after the effect. repeat: the command arrives at the
 * registry twice. refuse: the registry's policy is against it (2308), and it changes nothing.
 */
export type TrialFault = 'timeout_before' | 'timeout_after' | 'repeat' | 'refuse';
export type TrialCommand =
  | 'create'
  | 'renew'
  | 'request_transfer'
  | 'cancel_transfer'
  | 'approve_transfer'
  | 'reject_transfer'
  | 'update'
  | 'delete'
  | 'restore'
  | 'report';

/** Two registrars at a registry under test: every TLD generic, with the ICANN's locks and periods. */
export interface RegistrarSubject {
  readonly driver: RegistrarDriver;
  readonly rival: RegistrarDriver;
  /** The connection's name, and a TLD that it is for. */
  readonly registry: string;
  readonly tld: string;
  /** The registry's time. */
  now(): Instant;
  /** Lets days pass at the registry. */
  pass(days: number): Promise<void>;
  /** Makes the driver's next such command for the domain go wrong. */
  fail(domain: string, command: TrialCommand, fault: TrialFault): Promise<void>;
  /** How often somebody was charged for the domain. */
  charged(domain: string): Promise<number>;
  close(): Promise<void>;
}

/** Fresh registrations and transfers are locked for so long. */
const LOCK_DAYS = 60;
const CODE = 'Contract-Code-1';

/** What tests of the contract do at their subject. */
export class RegistrarTrial {
  readonly subject: RegistrarSubject;
  readonly driver: RegistrarDriver;
  readonly rival: RegistrarDriver;

  constructor(subject: RegistrarSubject) {
    this.subject = subject;
    this.driver = subject.driver;
    this.rival = subject.rival;
  }

  /** A name that nobody has. */
  free(): DomainRef {
    const { tld, registry } = this.subject;
    return questionFor(`contract-${randomBytes(6).toString('hex')}.${tld}`, registry);
  }

  order(ref: DomainRef, change: Partial<WantedRegistration> = {}): WantedRegistration {
    return {
      ...ref,
      registrant: contact(),
      admin: null,
      tech: null,
      billing: null,
      years: 1,
      nameservers: [],
      ds: [],
      authcode: CODE,
      fee: null,
      since: this.subject.now(),
      ...change,
    };
  }

  transferOf(ref: DomainRef, change: Partial<WantedTransfer> = {}): WantedTransfer {
    return { ...ref, authcode: CODE, years: 1, fee: null, since: this.subject.now(), ...change };
  }

  async registered(
    by: RegistrarDriver,
    change: Partial<WantedRegistration> = {},
  ): Promise<{ readonly ref: DomainRef; readonly domain: RegisteredDomain }> {
    const ref = this.free();
    return { ref, domain: done(await by.register(this.order(ref, change))) };
  }

  /** A domain of one registrar's that others may ask for. */
  async movable(by: RegistrarDriver): Promise<DomainRef> {
    const { ref } = await this.registered(by);
    await this.subject.pass(LOCK_DAYS);
    done(await by.update({ ...ref, authcode: CODE }));
    return ref;
  }

  /** A domain of one registrar's that another has asked for. */
  async asked(from: RegistrarDriver, to: RegistrarDriver): Promise<DomainRef> {
    const ref = await this.movable(from);
    done(await to.requestTransfer(this.transferOf(ref)));
    return ref;
  }

  async chargedTimes({ domain }: DomainRef, times: number): Promise<void> {
    assert.equal(await this.subject.charged(domain), times, 'charges');
  }
}

/** All messages, taken off the queue. */
export async function drained(driver: RegistrarDriver): Promise<RegistryMessage[]> {
  const read: RegistryMessage[] = [];
  for (let next = await driver.nextMessage(); next !== null; next = await driver.nextMessage()) {
    read.push(next);
    await driver.acknowledge(next.id);
  }
  return read;
}

/** How many of the messages say this of the domain's transfer. */
export function hears(messages: readonly RegistryMessage[], { domain }: DomainRef, status: string): number {
  return messages.filter(
    ({ about }) =>
      about?.kind === 'transfer' && about.transfer.domain === domain && about.transfer.status === status,
  ).length;
}

export function done<Result>(outcome: RegistryOutcome<Result>): Result {
  if (outcome.kind !== 'done') assert.fail(JSON.stringify(outcome));
  return outcome.result;
}

export function refused(outcome: RegistryOutcome<unknown>, reason: RegistryRefusal): void {
  assert.deepEqual(outcome, { kind: 'refused', reason });
}

/** A name server; with addresses it is below the domain that is delegated to it. */
export function host(hostname: string, ipv4: readonly string[] = []): NameServerHost {
  return { hostname, ipv4, ipv6: [] };
}

export function byHostname(a: NameServerHost, b: NameServerHost): number {
  return a.hostname < b.hostname ? -1 : 1;
}

export function signer(keyTag: number) {
  return { keyTag, algorithm: 13, digestType: 2, digest: 'AB'.repeat(32) };
}

export function contact(change: Partial<RegistryContact> = {}): RegistryContact {
  return {
    handle: `HK-${randomBytes(5).toString('hex').toUpperCase()}`,
    type: 'person',
    name: 'Erika Muster',
    organisation: null,
    street: ['Musterstraße 1'],
    city: 'Frankfurt',
    region: null,
    zip: '60311',
    country: 'DE',
    phone: '+49.691234567',
    fax: null,
    email: 'erika@contract.example',
    disclosed: false,
    extra: {},
    ...change,
  };
}

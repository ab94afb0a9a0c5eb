import type { Outbound } from '../base/outbound.ts';
import type { DelegationQueries, Dns, DnsQueries } from './dns/port.ts';
import type { Hypervisor, HypervisorQueries } from './hypervisor/port.ts';
import type { Mailer } from './mail/port.ts';
import type { PaymentQueries, Payments } from './payment/port.ts';
import type { Registries, RegistryQueries } from './registry/port.ts';
import type { Resolver } from './resolver/port.ts';
import type { FileStorage, StorageQueries } from './storage/port.ts';
import type { VatRegister } from './vat/port.ts';
import type { Webserver, WebserverQueries } from './webserver/port.ts';
import type { WhoisDirectory } from './whois/port.ts';

/** What operations may ask of back ends: questions only. Commands belong to jobs. */
export interface QueryPorts {
  readonly delegation: DelegationQueries;
  readonly dns: DnsQueries;
  readonly registry: RegistryQueries;
  readonly vat: VatRegister;
  readonly hypervisor: HypervisorQueries;
  readonly payment: PaymentQueries;
  readonly storage: StorageQueries;
  readonly webserver: WebserverQueries;
  readonly resolver: Resolver;
  readonly whois: WhoisDirectory;
}

/** What jobs may use. */
export interface CommandPorts {
  /** The way to whatever customers name. */
  readonly outbound: Outbound;
  readonly dns: Dns;
  readonly hypervisor: Hypervisor;
  readonly mail: Mailer;
  readonly payment: Payments;
  readonly registry: Registries;
  readonly resolver: Resolver;
  readonly storage: FileStorage;
  readonly vat: VatRegister;
  readonly webserver: Webserver;
}

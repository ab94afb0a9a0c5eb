import { z } from 'zod';
import answers from './answers.generated.json' with { type: 'json' };
import * as address from './api/address.ts';
import * as attachment from './api/attachment.ts';
import * as cancellation from './api/cancellation.ts';
import * as closing from './api/closing.ts';
import * as date from './api/date.ts';
import { eventBody } from './api/event-body.ts';
import * as field from './api/field.ts';
import * as invoice from './api/invoice.ts';
import * as notice from './api/notice.ts';
import * as order from './api/order.ts';
import * as page from './api/page.ts';
import * as pastOrder from './api/past-order.ts';
import * as person from './api/person.ts';
import * as product from './api/product.ts';
import * as server from './api/server.ts';
import * as settings from './api/settings.ts';
import * as shownPrices from './api/shown-prices.ts';
import * as task from './api/task.ts';
import * as ticket from './api/ticket.ts';
import * as user from './api/user.ts';
import { EVENT_CHOICES } from './business/notifications/webhooks/choice.ts';
import type { Operation } from './operation.ts';
import * as event from './operations/account/event.schema.ts';
import accountExports from './operations/account/exports.ts';
import * as ledger from './operations/account/ledger.schema.ts';
import * as payment from './operations/account/payment.schema.ts';
import accountServices from './operations/account/services.ts';
import * as session from './operations/account/session.schema.ts';
import * as token from './operations/account/token.schema.ts';
import accountTokens from './operations/account/tokens.ts';
import * as topupSettings from './operations/account/topup-settings.schema.ts';
import * as transaction from './operations/account/transaction.schema.ts';
import * as webhook from './operations/account/webhook.schema.ts';
import * as contact from './operations/domain/contact.schema.ts';
import * as domainContactsShown from './operations/domain/contacts-shown.schema.ts';
import * as delegation from './operations/domain/delegation.schema.ts';
import * as dnsImport from './operations/domain/dns-import.schema.ts';
import * as dnsRecord from './operations/domain/dns-record.schema.ts';
import * as domain from './operations/domain/domain.schema.ts';
import domainList from './operations/domain/list.ts';
import * as lookAlike from './operations/domain/look-alike.schema.ts';
import * as nameserver from './operations/domain/nameserver.schema.ts';
import * as domainOrder from './operations/domain/ordering/request.ts';
import * as domainZone from './operations/domain/ordering/zone.ts';
import * as domainShown from './operations/domain/shown.schema.ts';
import * as whoisPrivacy from './operations/domain/whois-privacy.schema.ts';
import * as zone from './operations/domain/zone.schema.ts';
import * as zoneChange from './operations/domain/zone-change.schema.ts';
import * as license from './operations/panel/license.schema.ts';
import panelList from './operations/panel/list.ts';
import panelPackages from './operations/panel/packages.ts';
import * as serverCopy from './operations/server/copy.schema.ts';
import * as serverFirewall from './operations/server/firewall.schema.ts';
import serverHosts from './operations/server/hosts.ts';
import serverList from './operations/server/list.ts';
import * as serverMedium from './operations/server/medium.schema.ts';
import serverOs from './operations/server/os.ts';
import serverSshkeys from './operations/server/sshkeys.ts';
import staffBackends from './operations/staff/backends.ts';
import * as bankEntry from './operations/staff/bank-entry.schema.ts';
import staffCustomers from './operations/staff/customers.ts';
import * as discount from './operations/staff/discount.schema.ts';
import staffHosts from './operations/staff/hosts.ts';
import staffJobs from './operations/staff/jobs.ts';
import * as suspension from './operations/staff/suspension.schema.ts';
import * as staffTicket from './operations/staff/ticket.schema.ts';
import staffVouchers from './operations/staff/vouchers.ts';
import webspaceBackups from './operations/webspace/backups.ts';
import webspaceDatabases from './operations/webspace/databases.ts';
import webspaceList from './operations/webspace/list.ts';
import * as webspace from './operations/webspace/webspace.schema.ts';
import { EVENT_TYPES } from './unit-of-work/event.ts';
import type { Contract } from './wire/openapi.ts';

/**
 * The schemas that the interface's document names: what several operations take or give has one name there, and one
 * type in each client that is made from it. A schema that is not listed is written out wherever it is used.
 */
const NAMED_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Address: address.address,
  Attachment: attachment.attachment,
  Backup: serverCopy.backup,
  BackupSchedule: serverCopy.backupSchedule,
  BankEntry: bankEntry.bankEntry,
  BankEntryState: bankEntry.bankEntryState,
  BootDevice: serverMedium.bootDevice,
  Cancellation: cancellation.cancelled,
  CancellationResult: cancellation.cancellationOutput,
  CancellationRefund: cancellation.refund,
  CannedReply: staffTicket.cannedReply,
  Charged: order.charged,
  AccountClosing: closing.closingPlan,
  AccountClosingResult: closing.closingOutput,
  ContactRef: contact.contactRef,
  ContactRoles: contact.contactRoles,
  ContactSummary: contact.contactSummary,
  Country: address.country,
  Currency: field.currency,
  CustomerTicketPriority: ticket.askedPriority,
  Datacenter: server.datacenter,
  Date: date.date,
  DelegationCheck: delegation.delegationCheck,
  DelegationSigner: delegation.delegationSigner,
  Discount: discount.discount,
  DiscountState: discount.discountState,
  DnsImport: dnsImport.dnsImport,
  DnsRecord: dnsRecord.dnsRecord,
  DnsRecordChange: dnsRecord.recordChange,
  DnsRecordInput: dnsRecord.recordInput,
  DomainContact: domainContactsShown.placedContact,
  DomainContacts: domainContactsShown.domainContacts,
  DomainPricing: domain.domainPricing,
  DomainState: domainShown.domainState,
  Duration: field.duration,
  DurationUnit: field.durationUnit,
  Event: event.event,
  EventType: event.eventType,
  Hostsystem: server.hostsystem,
  Invitation: user.invitation,
  InvitedRole: user.invitedRole,
  InvoiceKind: invoice.invoiceKind,
  InvoiceSummary: invoice.invoiceSummary,
  IpAddress: field.ipAddress,
  IsoImage: serverMedium.shownIso,
  JournalEntry: ledger.journalEntry,
  LicenseBinding: license.binding,
  LicenseBindings: license.bindings,
  Locale: person.locale,
  Money: field.money,
  Nameserver: nameserver.shownNameserver,
  NameserverInput: nameserver.nameserver,
  Notice: notice.notice,
  NoticeSeverity: notice.noticeSeverity,
  OperatingSystem: server.os,
  Order: pastOrder.pastOrder,
  OrderState: pastOrder.orderState,
  Pagination: page.pagination,
  Payment: payment.payment,
  PaymentMethod: payment.paymentMethod,
  PaymentState: payment.paymentState,
  PowerState: server.powerState,
  Price: field.moneyInput,
  PriceDisplay: shownPrices.display,
  PricesTax: shownPrices.pricesTax,
  Pricings: field.pricings,
  ProductType: product.productType,
  ProvenRoot: ledger.provenRoot,
  Quote: order.quote,
  Resource: z.object({ type: z.string(), uuid: field.uuid }),
  Refunded: z.object({ amount: field.money, currency: field.currency }),
  QuoteResult: z.object({ quote: order.quote }),
  NamedPackage: z.object({ uuid: field.uuid, name: z.string() }),
  FirewallRule: serverFirewall.firewallRule,
  OrderedDomain: domainOrder.domainOrdered.options[0],
  OrderedDns: domainZone.orderedDns,
  EventChoice: z.enum(EVENT_CHOICES),
  Range: z.object({ min: z.int(), max: z.int(), step: z.int() }),
  ResourceReference: ticket.resourceRef,
  ResourceReferenceInput: ticket.resourceInput,
  ServiceSettings: settings.settingsOutput,
  ServiceState: server.serviceState,
  Session: session.session,
  SignedHead: ledger.signedHead,
  Snapshot: serverCopy.snapshot,
  StaffTicket: staffTicket.staffTicket,
  SuspendedService: suspension.suspendedService,
  SuspensionReason: suspension.suspensionReason,
  Task: task.task,
  TaxKind: invoice.taxKind,
  Ticket: ticket.listedTicket,
  TicketCounts: ticket.ticketCounts,
  TicketDetails: ticket.ticketDetails,
  TicketMessage: ticket.message,
  TicketPriority: ticket.priority,
  TicketState: ticket.ticketState,
  Timestamp: field.timestamp,
  TimestampInput: field.timestampInput,
  Timezone: person.timezone,
  Token: token.token,
  TopupSettings: topupSettings.topupSettingsShape,
  Transaction: transaction.transaction,
  TransactionDirection: transaction.direction,
  TransactionType: transaction.transactionType,
  User: user.user,
  UserState: user.userState,
  Uuid: field.uuid,
  VatValidation: address.vatValidation,
  Warning: lookAlike.warning,
  Webhook: webhook.webhook,
  WebspaceDomain: webspace.domainObject,
  WebspaceLimits: webspace.limits,
  WebspacePackage: webspace.packageObject,
  WebspaceTls: webspace.tls,
  WhoisPrivacy: whoisPrivacy.whoisPrivacy,
  Zone: zone.zoneShape,
  ZoneChange: zoneChange.zoneChanged,
  ZoneDiff: zone.zoneDiff,
  ZonePublication: zone.publishedShape,
  Server: row(serverList, 'servers'),
  Domain: row(domainList, 'domains'),
  Webspace: row(webspaceList, 'webspaces'),
  License: row(panelList, 'licenses'),
  LicensePackage: row(panelPackages, 'packages'),
  Service: row(accountServices, 'services'),
  Customer: row(staffCustomers, 'customers'),
  ServerHost: row(serverHosts, 'hosts'),
  ServerImage: row(serverOs, 'os'),
  SshKey: row(serverSshkeys, 'keys'),
  WebspaceDatabase: row(webspaceDatabases, 'databases'),
  WebspaceBackup: row(webspaceBackups, 'backups'),
  Voucher: row(staffVouchers, 'vouchers'),
  Job: row(staffJobs, 'jobs'),
  Backend: row(staffBackends, 'backends'),
  AccountExport: row(accountExports, 'exports'),
  AccessToken: row(accountTokens, 'tokens'),
  NodeHost: row(staffHosts, 'hosts'),
};

/** What the rows of a list are. */
function row(list: Operation, member: string): z.ZodType {
  const rows = list.output instanceof z.ZodObject ? list.output.shape[member] : undefined;
  if (!(rows instanceof z.ZodArray)) throw new Error(`${list.path} has no rows ${member}`);
  return rows.element as z.ZodType;
}

/** What the document of the interface is made from, beside the operations. */
export const CONTRACT: Contract = {
  schemas: NAMED_SCHEMAS,
  answers,
  events: Object.fromEntries(EVENT_TYPES.map((type) => [type, eventBody(type)])),
};

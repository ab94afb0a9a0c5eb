import { z } from 'zod';
import { EVENT_CHOICES } from './business/webhooks/choice.ts';
import type { Operation } from './operation.ts';
import accountExports from './operations/account/exports.ts';
import accountServices from './operations/account/services.ts';
import accountTokens from './operations/account/tokens.ts';
import domainList from './operations/domain/list.ts';
import panelList from './operations/panel/list.ts';
import panelPackages from './operations/panel/packages.ts';
import serverHosts from './operations/server/hosts.ts';
import serverList from './operations/server/list.ts';
import serverOs from './operations/server/os.ts';
import serverSshkeys from './operations/server/sshkeys.ts';
import staffBackends from './operations/staff/backends.ts';
import staffCustomers from './operations/staff/customers.ts';
import staffHosts from './operations/staff/hosts.ts';
import staffJobs from './operations/staff/jobs.ts';
import staffVouchers from './operations/staff/vouchers.ts';
import webspaceBackups from './operations/webspace/backups.ts';
import webspaceDatabases from './operations/webspace/databases.ts';
import webspaceList from './operations/webspace/list.ts';
import * as address from './shapes/address.ts';
import * as attachment from './shapes/attachment.ts';
import * as bankEntry from './shapes/bank-entry.ts';
import * as cancellation from './shapes/cancellation.ts';
import * as closing from './shapes/closing.ts';
import * as contact from './shapes/contact.ts';
import * as date from './shapes/date.ts';
import * as delegation from './shapes/delegation.ts';
import * as discount from './shapes/discount.ts';
import * as dnsImport from './shapes/dns-import.ts';
import * as dnsRecord from './shapes/dns-record.ts';
import * as domain from './shapes/domain.ts';
import * as domainContactsShown from './shapes/domain-contacts-shown.ts';
import * as domainOrder from './shapes/domain-order.ts';
import * as domainShown from './shapes/domain-shown.ts';
import * as domainZone from './shapes/domain-zone.ts';
import * as event from './shapes/event.ts';
import * as field from './shapes/field.ts';
import * as invoice from './shapes/invoice.ts';
import * as ledger from './shapes/ledger.ts';
import * as license from './shapes/license.ts';
import * as lookAlike from './shapes/look-alike.ts';
import * as nameserver from './shapes/nameserver.ts';
import * as notice from './shapes/notice.ts';
import * as order from './shapes/order.ts';
import * as page from './shapes/page.ts';
import * as pastOrder from './shapes/past-order.ts';
import * as payment from './shapes/payment.ts';
import * as person from './shapes/person.ts';
import * as product from './shapes/product.ts';
import * as server from './shapes/server.ts';
import * as serverCopy from './shapes/server-copy.ts';
import * as serverFirewall from './shapes/server-firewall.ts';
import * as serverMedium from './shapes/server-medium.ts';
import * as session from './shapes/session.ts';
import * as settings from './shapes/settings.ts';
import * as shownPrices from './shapes/shown-prices.ts';
import * as staffTicket from './shapes/staff-ticket.ts';
import * as suspension from './shapes/suspension.ts';
import * as task from './shapes/task.ts';
import * as ticket from './shapes/ticket.ts';
import * as token from './shapes/token.ts';
import * as topupSettings from './shapes/topup-settings.ts';
import * as transaction from './shapes/transaction.ts';
import * as user from './shapes/user.ts';
import * as webhook from './shapes/webhook.ts';
import * as webspace from './shapes/webspace.ts';
import * as whoisPrivacy from './shapes/whois-privacy.ts';
import * as zone from './shapes/zone.ts';
import * as zoneChange from './shapes/zone-change.ts';
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
export const CONTRACT: Contract = { schemas: NAMED_SCHEMAS, answers: {} };

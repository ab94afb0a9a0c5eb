// Made by `npm run generate` from the tree. Do not edit.
import affiliatesCommissions from './business/affiliates/jobs/commissions.ts';
import consolesKeepSessions from './business/consoles/jobs/keep-sessions.ts';
import domainsAskPremium from './business/domains/jobs/ask-premium.ts';
import domainsAuthcodeEnds from './business/domains/jobs/authcode-ends.ts';
import domainsAuthcode from './business/domains/jobs/authcode.ts';
import domainsChanges from './business/domains/jobs/changes.ts';
import domainsEnforce from './business/domains/jobs/enforce.ts';
import domainsFollow from './business/domains/jobs/follow.ts';
import domainsLockEnds from './business/domains/jobs/lock-ends.ts';
import domainsLook from './business/domains/jobs/look.ts';
import domainsPoll from './business/domains/jobs/poll.ts';
import domainsPublicationDeadline from './business/domains/jobs/publication-deadline.ts';
import domainsPush from './business/domains/jobs/push.ts';
import domainsReconcile from './business/domains/jobs/reconcile.ts';
import domainsRegister from './business/domains/jobs/register.ts';
import domainsRenew from './business/domains/jobs/renew.ts';
import domainsRestore from './business/domains/jobs/restore.ts';
import domainsTransferOut from './business/domains/jobs/transfer-out.ts';
import domainsTransfer from './business/domains/jobs/transfer.ts';
import domainsUnpublished from './business/domains/jobs/unpublished.ts';
import domainsVerification from './business/domains/jobs/verification.ts';
import exportsBuild from './business/exports/jobs/build.ts';
import invoicesCollect from './business/invoices/jobs/collect.ts';
import invoicesIssue from './business/invoices/jobs/issue.ts';
import invoicesStatement from './business/invoices/jobs/statement.ts';
import ledgerSignHeads from './business/ledger/jobs/sign-heads.ts';
import mailDeliver from './business/mail/jobs/deliver.ts';
import ordersPending from './business/orders/jobs/pending.ts';
import paymentsAutoTopup from './business/payments/jobs/auto-topup.ts';
import paymentsCharge from './business/payments/jobs/charge.ts';
import paymentsForgetMethod from './business/payments/jobs/forget-method.ts';
import paymentsLowBalances from './business/payments/jobs/low-balances.ts';
import paymentsPending from './business/payments/jobs/pending.ts';
import paymentsStart from './business/payments/jobs/start.ts';
import serversBackupRestore from './business/servers/jobs/backup-restore.ts';
import serversBackup from './business/servers/jobs/backup.ts';
import serversEnforce from './business/servers/jobs/enforce.ts';
import serversEnsureHosts from './business/servers/jobs/ensure-hosts.ts';
import serversFirewall from './business/servers/jobs/firewall.ts';
import serversFreeAddresses from './business/servers/jobs/free-addresses.ts';
import serversIso from './business/servers/jobs/iso.ts';
import serversKeepOff from './business/servers/jobs/keep-off.ts';
import serversNamed from './business/servers/jobs/named.ts';
import serversNetworkDue from './business/servers/jobs/network-due.ts';
import serversPassword from './business/servers/jobs/password.ts';
import serversPower from './business/servers/jobs/power.ts';
import serversProbeNodes from './business/servers/jobs/probe-nodes.ts';
import serversProvision from './business/servers/jobs/provision.ts';
import serversReach from './business/servers/jobs/reach.ts';
import serversReconcile from './business/servers/jobs/reconcile.ts';
import serversReinstall from './business/servers/jobs/reinstall.ts';
import serversRemoveCopies from './business/servers/jobs/remove-copies.ts';
import serversRemoveCopy from './business/servers/jobs/remove-copy.ts';
import serversRemoveDeleted from './business/servers/jobs/remove-deleted.ts';
import serversRescueEnd from './business/servers/jobs/rescue-end.ts';
import serversRescue from './business/servers/jobs/rescue.ts';
import serversResize from './business/servers/jobs/resize.ts';
import serversRollUpMetrics from './business/servers/jobs/roll-up-metrics.ts';
import serversRotateMetrics from './business/servers/jobs/rotate-metrics.ts';
import serversSampleMetrics from './business/servers/jobs/sample-metrics.ts';
import serversScheduleBackups from './business/servers/jobs/schedule-backups.ts';
import serversSnapshotRestore from './business/servers/jobs/snapshot-restore.ts';
import serversSnapshot from './business/servers/jobs/snapshot.ts';
import serversStranded from './business/servers/jobs/stranded.ts';
import serversUnthrottle from './business/servers/jobs/unthrottle.ts';
import serversUplink from './business/servers/jobs/uplink.ts';
import serversWaiting from './business/servers/jobs/waiting.ts';
import servicesLife from './business/services/jobs/life.ts';
import servicesRetry from './business/services/jobs/retry.ts';
import taxRecheck from './business/tax/jobs/recheck.ts';
import ticketsCloseUnanswered from './business/tickets/jobs/close-unanswered.ts';
import ticketsExpireQuarantine from './business/tickets/jobs/expire-quarantine.ts';
import ticketsIncoming from './business/tickets/jobs/incoming.ts';
import ticketsStore from './business/tickets/jobs/store.ts';
import upkeepPartitions from './business/upkeep/jobs/partitions.ts';
import upkeepPurge from './business/upkeep/jobs/purge.ts';
import webhooksDeliver from './business/webhooks/jobs/deliver.ts';
import webspacesBackup from './business/webspaces/jobs/backup.ts';
import webspacesCertificate from './business/webspaces/jobs/certificate.ts';
import webspacesCertificates from './business/webspaces/jobs/certificates.ts';
import webspacesEnforce from './business/webspaces/jobs/enforce.ts';
import webspacesProvision from './business/webspaces/jobs/provision.ts';
import webspacesReconcile from './business/webspaces/jobs/reconcile.ts';
import webspacesRemoveBackup from './business/webspaces/jobs/remove-backup.ts';
import webspacesRemoveDeleted from './business/webspaces/jobs/remove-deleted.ts';
import webspacesRestore from './business/webspaces/jobs/restore.ts';
import webspacesScheduleBackups from './business/webspaces/jobs/schedule-backups.ts';
import webspacesStranded from './business/webspaces/jobs/stranded.ts';
import webspacesUsage from './business/webspaces/jobs/usage.ts';
import webspacesWithdrawNames from './business/webspaces/jobs/withdraw-names.ts';
import workCapBackoff from './business/work/jobs/cap-backoff.ts';
import workRecover from './business/work/jobs/recover.ts';
import zonesAliases from './business/zones/jobs/aliases.ts';
import zonesDelegate from './business/zones/jobs/delegate.ts';
import zonesDue from './business/zones/jobs/due.ts';
import zonesHistorySize from './business/zones/jobs/history-size.ts';
import zonesHistory from './business/zones/jobs/history.ts';
import zonesNameservers from './business/zones/jobs/nameservers.ts';
import zonesPublish from './business/zones/jobs/publish.ts';
import zonesReconcile from './business/zones/jobs/reconcile.ts';
import zonesVisible from './business/zones/jobs/visible.ts';
import type { Job } from './work/job.ts';

export const jobs: readonly Job[] = [
  affiliatesCommissions,
  consolesKeepSessions,
  domainsAskPremium,
  domainsAuthcodeEnds,
  domainsAuthcode,
  domainsChanges,
  domainsEnforce,
  domainsFollow,
  domainsLockEnds,
  domainsLook,
  domainsPoll,
  domainsPublicationDeadline,
  domainsPush,
  domainsReconcile,
  domainsRegister,
  domainsRenew,
  domainsRestore,
  domainsTransferOut,
  domainsTransfer,
  domainsUnpublished,
  domainsVerification,
  exportsBuild,
  invoicesCollect,
  invoicesIssue,
  invoicesStatement,
  ledgerSignHeads,
  mailDeliver,
  ordersPending,
  paymentsAutoTopup,
  paymentsCharge,
  paymentsForgetMethod,
  paymentsLowBalances,
  paymentsPending,
  paymentsStart,
  serversBackupRestore,
  serversBackup,
  serversEnforce,
  serversEnsureHosts,
  serversFirewall,
  serversFreeAddresses,
  serversIso,
  serversKeepOff,
  serversNamed,
  serversNetworkDue,
  serversPassword,
  serversPower,
  serversProbeNodes,
  serversProvision,
  serversReach,
  serversReconcile,
  serversReinstall,
  serversRemoveCopies,
  serversRemoveCopy,
  serversRemoveDeleted,
  serversRescueEnd,
  serversRescue,
  serversResize,
  serversRollUpMetrics,
  serversRotateMetrics,
  serversSampleMetrics,
  serversScheduleBackups,
  serversSnapshotRestore,
  serversSnapshot,
  serversStranded,
  serversUnthrottle,
  serversUplink,
  serversWaiting,
  servicesLife,
  servicesRetry,
  taxRecheck,
  ticketsCloseUnanswered,
  ticketsExpireQuarantine,
  ticketsIncoming,
  ticketsStore,
  upkeepPartitions,
  upkeepPurge,
  webhooksDeliver,
  webspacesBackup,
  webspacesCertificate,
  webspacesCertificates,
  webspacesEnforce,
  webspacesProvision,
  webspacesReconcile,
  webspacesRemoveBackup,
  webspacesRemoveDeleted,
  webspacesRestore,
  webspacesScheduleBackups,
  webspacesStranded,
  webspacesUsage,
  webspacesWithdrawNames,
  workCapBackoff,
  workRecover,
  zonesAliases,
  zonesDelegate,
  zonesDue,
  zonesHistorySize,
  zonesHistory,
  zonesNameservers,
  zonesPublish,
  zonesReconcile,
  zonesVisible,
];

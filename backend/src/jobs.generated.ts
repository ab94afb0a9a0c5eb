// Made by `npm run generate` from the tree. Do not edit.
import './business/products.ts';
import coreAccountsRecheckVat from './business/core/accounts/recheck-vat.job.ts';
import coreBackendsCapBackoff from './business/core/backends/cap-backoff.job.ts';
import coreBackendsRecover from './business/core/backends/recover.job.ts';
import coreLedgerMarks from './business/core/ledger/marks.job.ts';
import coreLedgerSignHeads from './business/core/ledger/sign-heads.job.ts';
import dnsHistoryHistorySize from './business/dns/history/history-size.job.ts';
import dnsHistoryHistory from './business/dns/history/history.job.ts';
import dnsPublishAliases from './business/dns/publish/aliases.job.ts';
import dnsPublishDue from './business/dns/publish/due.job.ts';
import dnsPublishPublish from './business/dns/publish/publish.job.ts';
import dnsPublishReconcile from './business/dns/publish/reconcile.job.ts';
import dnsPublishVisible from './business/dns/publish/visible.job.ts';
import domainsChangesChanges from './business/domains/changes/changes.job.ts';
import domainsContactsVerification from './business/domains/contacts/verification.job.ts';
import domainsConvergenceConverge from './business/domains/convergence/converge.job.ts';
import domainsConvergenceLook from './business/domains/convergence/look.job.ts';
import domainsConvergencePoll from './business/domains/convergence/poll.job.ts';
import domainsConvergenceReconcile from './business/domains/convergence/reconcile.job.ts';
import domainsDelegationDelegate from './business/domains/delegation/delegate.job.ts';
import domainsDelegationNameservers from './business/domains/delegation/nameservers.job.ts';
import domainsRegistrationPublicationDeadline from './business/domains/registration/publication-deadline.job.ts';
import domainsRegistrationRegister from './business/domains/registration/register.job.ts';
import domainsRegistrationUnpublished from './business/domains/registration/unpublished.job.ts';
import domainsRenewalAskPremium from './business/domains/renewal/ask-premium.job.ts';
import domainsRenewalRenew from './business/domains/renewal/renew.job.ts';
import domainsRenewalRestore from './business/domains/renewal/restore.job.ts';
import domainsTransferAuthcodeEnds from './business/domains/transfer/authcode-ends.job.ts';
import domainsTransferAuthcode from './business/domains/transfer/authcode.job.ts';
import domainsTransferFollowTransfers from './business/domains/transfer/follow-transfers.job.ts';
import domainsTransferLockEnds from './business/domains/transfer/lock-ends.job.ts';
import domainsTransferPush from './business/domains/transfer/push.job.ts';
import domainsTransferTransferOut from './business/domains/transfer/transfer-out.job.ts';
import domainsTransferTransfer from './business/domains/transfer/transfer.job.ts';
import exportsBuild from './business/exports/build.job.ts';
import maintenancePartitions from './business/maintenance/partitions.job.ts';
import maintenancePurge from './business/maintenance/purge.job.ts';
import notificationsMailDeliver from './business/notifications/mail/deliver.job.ts';
import notificationsWebhooksDeliver from './business/notifications/webhooks/deliver.job.ts';
import sellingAffiliatesCommissions from './business/selling/affiliates/commissions.job.ts';
import sellingInvoicesCollect from './business/selling/invoices/collect.job.ts';
import sellingInvoicesIssue from './business/selling/invoices/issue.job.ts';
import sellingInvoicesStatement from './business/selling/invoices/statement.job.ts';
import sellingOrdersPending from './business/selling/orders/pending.job.ts';
import sellingPaymentsAutoTopup from './business/selling/payments/auto-topup.job.ts';
import sellingPaymentsCharge from './business/selling/payments/charge.job.ts';
import sellingPaymentsForgetMethod from './business/selling/payments/forget-method.job.ts';
import sellingPaymentsLowBalances from './business/selling/payments/low-balances.job.ts';
import sellingPaymentsPending from './business/selling/payments/pending.job.ts';
import sellingPaymentsStart from './business/selling/payments/start.job.ts';
import sellingSubscriptionsRenewalLifecycle from './business/selling/subscriptions/renewal/lifecycle.job.ts';
import sellingSubscriptionsRenewalRetry from './business/selling/subscriptions/renewal/retry.job.ts';
import serversCapacityEnsureHosts from './business/servers/capacity/ensure-hosts.job.ts';
import serversCapacityFreeAddresses from './business/servers/capacity/free-addresses.job.ts';
import serversCapacityProbeNodes from './business/servers/capacity/probe-nodes.job.ts';
import serversCapacityWaiting from './business/servers/capacity/waiting.job.ts';
import serversChangesIso from './business/servers/changes/iso.job.ts';
import serversChangesPassword from './business/servers/changes/password.job.ts';
import serversChangesPower from './business/servers/changes/power.job.ts';
import serversChangesReinstall from './business/servers/changes/reinstall.job.ts';
import serversChangesRescueEnd from './business/servers/changes/rescue-end.job.ts';
import serversChangesRescue from './business/servers/changes/rescue.job.ts';
import serversChangesResize from './business/servers/changes/resize.job.ts';
import serversConsolesKeepSessions from './business/servers/consoles/keep-sessions.job.ts';
import serversCopiesBackupRestore from './business/servers/copies/backup-restore.job.ts';
import serversCopiesBackup from './business/servers/copies/backup.job.ts';
import serversCopiesRemoveCopies from './business/servers/copies/remove-copies.job.ts';
import serversCopiesRemoveCopy from './business/servers/copies/remove-copy.job.ts';
import serversCopiesScheduleBackups from './business/servers/copies/schedule-backups.job.ts';
import serversCopiesSnapshotRestore from './business/servers/copies/snapshot-restore.job.ts';
import serversCopiesSnapshot from './business/servers/copies/snapshot.job.ts';
import serversMachineConverge from './business/servers/machine/converge.job.ts';
import serversMachineKeepOff from './business/servers/machine/keep-off.job.ts';
import serversMachineOrphaned from './business/servers/machine/orphaned.job.ts';
import serversMachineProvision from './business/servers/machine/provision.job.ts';
import serversMachineReconcile from './business/servers/machine/reconcile.job.ts';
import serversMachineRemoveDeleted from './business/servers/machine/remove-deleted.job.ts';
import serversMetricsRollUpMetrics from './business/servers/metrics/roll-up-metrics.job.ts';
import serversMetricsRotateMetrics from './business/servers/metrics/rotate-metrics.job.ts';
import serversMetricsSampleMetrics from './business/servers/metrics/sample-metrics.job.ts';
import serversNetworkFirewall from './business/servers/network/firewall.job.ts';
import serversNetworkNamed from './business/servers/network/named.job.ts';
import serversNetworkNetworkAccess from './business/servers/network/network-access.job.ts';
import serversNetworkNetworkDue from './business/servers/network/network-due.job.ts';
import serversTrafficUnthrottle from './business/servers/traffic/unthrottle.job.ts';
import serversTrafficUplink from './business/servers/traffic/uplink.job.ts';
import supportAttachmentsStore from './business/support/attachments/store.job.ts';
import supportIncomingExpireQuarantine from './business/support/incoming/expire-quarantine.job.ts';
import supportIncomingIncoming from './business/support/incoming/incoming.job.ts';
import supportTicketsCloseUnanswered from './business/support/tickets/close-unanswered.job.ts';
import webspacesBackupsBackup from './business/webspaces/backups/backup.job.ts';
import webspacesBackupsRemoveBackup from './business/webspaces/backups/remove-backup.job.ts';
import webspacesBackupsRestore from './business/webspaces/backups/restore.job.ts';
import webspacesBackupsScheduleBackups from './business/webspaces/backups/schedule-backups.job.ts';
import webspacesConverge from './business/webspaces/converge.job.ts';
import webspacesNamesCertificate from './business/webspaces/names/certificate.job.ts';
import webspacesNamesCertificates from './business/webspaces/names/certificates.job.ts';
import webspacesNamesWithdrawNames from './business/webspaces/names/withdraw-names.job.ts';
import webspacesOrphaned from './business/webspaces/orphaned.job.ts';
import webspacesProvision from './business/webspaces/provision.job.ts';
import webspacesReconcile from './business/webspaces/reconcile.job.ts';
import webspacesRemoveDeleted from './business/webspaces/remove-deleted.job.ts';
import webspacesUsageUsage from './business/webspaces/usage/usage.job.ts';
import type { Job } from './work/job.ts';

export const jobs: readonly Job[] = [
  coreAccountsRecheckVat,
  coreBackendsCapBackoff,
  coreBackendsRecover,
  coreLedgerMarks,
  coreLedgerSignHeads,
  dnsHistoryHistorySize,
  dnsHistoryHistory,
  dnsPublishAliases,
  dnsPublishDue,
  dnsPublishPublish,
  dnsPublishReconcile,
  dnsPublishVisible,
  domainsChangesChanges,
  domainsContactsVerification,
  domainsConvergenceConverge,
  domainsConvergenceLook,
  domainsConvergencePoll,
  domainsConvergenceReconcile,
  domainsDelegationDelegate,
  domainsDelegationNameservers,
  domainsRegistrationPublicationDeadline,
  domainsRegistrationRegister,
  domainsRegistrationUnpublished,
  domainsRenewalAskPremium,
  domainsRenewalRenew,
  domainsRenewalRestore,
  domainsTransferAuthcodeEnds,
  domainsTransferAuthcode,
  domainsTransferFollowTransfers,
  domainsTransferLockEnds,
  domainsTransferPush,
  domainsTransferTransferOut,
  domainsTransferTransfer,
  exportsBuild,
  maintenancePartitions,
  maintenancePurge,
  notificationsMailDeliver,
  notificationsWebhooksDeliver,
  sellingAffiliatesCommissions,
  sellingInvoicesCollect,
  sellingInvoicesIssue,
  sellingInvoicesStatement,
  sellingOrdersPending,
  sellingPaymentsAutoTopup,
  sellingPaymentsCharge,
  sellingPaymentsForgetMethod,
  sellingPaymentsLowBalances,
  sellingPaymentsPending,
  sellingPaymentsStart,
  sellingSubscriptionsRenewalLifecycle,
  sellingSubscriptionsRenewalRetry,
  serversCapacityEnsureHosts,
  serversCapacityFreeAddresses,
  serversCapacityProbeNodes,
  serversCapacityWaiting,
  serversChangesIso,
  serversChangesPassword,
  serversChangesPower,
  serversChangesReinstall,
  serversChangesRescueEnd,
  serversChangesRescue,
  serversChangesResize,
  serversConsolesKeepSessions,
  serversCopiesBackupRestore,
  serversCopiesBackup,
  serversCopiesRemoveCopies,
  serversCopiesRemoveCopy,
  serversCopiesScheduleBackups,
  serversCopiesSnapshotRestore,
  serversCopiesSnapshot,
  serversMachineConverge,
  serversMachineKeepOff,
  serversMachineOrphaned,
  serversMachineProvision,
  serversMachineReconcile,
  serversMachineRemoveDeleted,
  serversMetricsRollUpMetrics,
  serversMetricsRotateMetrics,
  serversMetricsSampleMetrics,
  serversNetworkFirewall,
  serversNetworkNamed,
  serversNetworkNetworkAccess,
  serversNetworkNetworkDue,
  serversTrafficUnthrottle,
  serversTrafficUplink,
  supportAttachmentsStore,
  supportIncomingExpireQuarantine,
  supportIncomingIncoming,
  supportTicketsCloseUnanswered,
  webspacesBackupsBackup,
  webspacesBackupsRemoveBackup,
  webspacesBackupsRestore,
  webspacesBackupsScheduleBackups,
  webspacesConverge,
  webspacesNamesCertificate,
  webspacesNamesCertificates,
  webspacesNamesWithdrawNames,
  webspacesOrphaned,
  webspacesProvision,
  webspacesReconcile,
  webspacesRemoveDeleted,
  webspacesUsageUsage,
];

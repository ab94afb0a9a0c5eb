// Made by `npm run generate` from the tree. Do not edit.
import './business/products.ts';
import accountAffiliateStats from './operations/account/affiliate-stats.ts';
import accountBalance from './operations/account/balance.ts';
import accountClose from './operations/account/close.ts';
import accountDashboard from './operations/account/dashboard.ts';
import accountEmailChange from './operations/account/email-change.ts';
import accountEmailVerificationResend from './operations/account/email-verification-resend.ts';
import accountEmailVerify from './operations/account/email-verify.ts';
import accountEvents from './operations/account/events.ts';
import accountExport from './operations/account/export.ts';
import accountExports from './operations/account/exports.ts';
import accountGetAddress from './operations/account/get-address.ts';
import accountInvitationRevoke from './operations/account/invitation-revoke.ts';
import accountInvoice from './operations/account/invoice.ts';
import accountInvoices from './operations/account/invoices.ts';
import accountLedgerProof from './operations/account/ledger-proof.ts';
import accountLedger from './operations/account/ledger.ts';
import accountLogin from './operations/account/login.ts';
import accountLogout from './operations/account/logout.ts';
import accountOrder from './operations/account/order.ts';
import accountOrders from './operations/account/orders.ts';
import accountPasswordChange from './operations/account/password-change.ts';
import accountPasswordResetConfirm from './operations/account/password-reset-confirm.ts';
import accountPasswordReset from './operations/account/password-reset.ts';
import accountPaymentMethodRemove from './operations/account/payment-method-remove.ts';
import accountPaymentMethods from './operations/account/payment-methods.ts';
import accountPayment from './operations/account/payment.ts';
import accountPayments from './operations/account/payments.ts';
import accountRecoveryCodes from './operations/account/recovery-codes.ts';
import accountRedeemVoucher from './operations/account/redeem-voucher.ts';
import accountRegister from './operations/account/register.ts';
import accountRenewalOrder from './operations/account/renewal-order.ts';
import accountSaveAddress from './operations/account/save-address.ts';
import accountServices from './operations/account/services.ts';
import accountSessionEnd from './operations/account/session-end.ts';
import accountSession from './operations/account/session.ts';
import accountSignIns from './operations/account/sign-ins.ts';
import accountStatement from './operations/account/statement.ts';
import accountTokenCreate from './operations/account/token-create.ts';
import accountTokenRevoke from './operations/account/token-revoke.ts';
import accountTokens from './operations/account/tokens.ts';
import accountTopupSettings from './operations/account/topup-settings.ts';
import accountTopup from './operations/account/topup.ts';
import accountTransactions from './operations/account/transactions.ts';
import accountTwoFactorConfirm from './operations/account/two-factor-confirm.ts';
import accountTwoFactorDisable from './operations/account/two-factor-disable.ts';
import accountTwoFactorSetup from './operations/account/two-factor-setup.ts';
import accountUpdate from './operations/account/update.ts';
import accountUserAccept from './operations/account/user-accept.ts';
import accountUserInvite from './operations/account/user-invite.ts';
import accountUserRemove from './operations/account/user-remove.ts';
import accountUserUpdate from './operations/account/user-update.ts';
import accountUsers from './operations/account/users.ts';
import accountWebhookCreate from './operations/account/webhook-create.ts';
import accountWebhookDelete from './operations/account/webhook-delete.ts';
import accountWebhookDeliveries from './operations/account/webhook-deliveries.ts';
import accountWebhookReplay from './operations/account/webhook-replay.ts';
import accountWebhookTest from './operations/account/webhook-test.ts';
import accountWebhookUpdate from './operations/account/webhook-update.ts';
import accountWebhooks from './operations/account/webhooks.ts';
import domainAuthcode from './operations/domain/authcode.ts';
import domainCancel from './operations/domain/cancel.ts';
import domainCheck from './operations/domain/check.ts';
import domainContactApprove from './operations/domain/contact-approve.ts';
import domainContactGet from './operations/domain/contact-get.ts';
import domainContactUpdate from './operations/domain/contact-update.ts';
import domainContactVerifyResend from './operations/domain/contact-verify-resend.ts';
import domainContactVerify from './operations/domain/contact-verify.ts';
import domainContacts from './operations/domain/contacts.ts';
import domainDetails from './operations/domain/details.ts';
import domainDnsHistory from './operations/domain/dns-history.ts';
import domainDnsRecords from './operations/domain/dns-records.ts';
import domainDnsRollback from './operations/domain/dns-rollback.ts';
import domainDnsUpdate from './operations/domain/dns-update.ts';
import domainList from './operations/domain/list.ts';
import domainNameservers from './operations/domain/nameservers.ts';
import domainOrderMany from './operations/domain/order-many.ts';
import domainOrder from './operations/domain/order.ts';
import domainPricelist from './operations/domain/pricelist.ts';
import domainSettings from './operations/domain/settings.ts';
import domainTransferAnswer from './operations/domain/transfer-answer.ts';
import domainTransfer from './operations/domain/transfer.ts';
import domainWhoisPrivacyGet from './operations/domain/whois-privacy-get.ts';
import domainWhoisPrivacyUpdate from './operations/domain/whois-privacy-update.ts';
import panelBindIp from './operations/panel/bind-ip.ts';
import panelCancel from './operations/panel/cancel.ts';
import panelDetails from './operations/panel/details.ts';
import panelLicenseFile from './operations/panel/license-file.ts';
import panelList from './operations/panel/list.ts';
import panelOrder from './operations/panel/order.ts';
import panelPackages from './operations/panel/packages.ts';
import panelPublicKey from './operations/panel/public-key.ts';
import panelRename from './operations/panel/rename.ts';
import panelRenew from './operations/panel/renew.ts';
import panelSettings from './operations/panel/settings.ts';
import panelUnbindIp from './operations/panel/unbind-ip.ts';
import panelValidate from './operations/panel/validate.ts';
import serverBackupCreate from './operations/server/backup-create.ts';
import serverBackupDelete from './operations/server/backup-delete.ts';
import serverBackupRestore from './operations/server/backup-restore.ts';
import serverBackupSchedule from './operations/server/backup-schedule.ts';
import serverBackups from './operations/server/backups.ts';
import serverCancel from './operations/server/cancel.ts';
import serverConfig from './operations/server/config.ts';
import serverFirewallReplace from './operations/server/firewall-replace.ts';
import serverFirewall from './operations/server/firewall.ts';
import serverHardware from './operations/server/hardware.ts';
import serverHosts from './operations/server/hosts.ts';
import serverIpaddresses from './operations/server/ipaddresses.ts';
import serverIsoAttach from './operations/server/iso-attach.ts';
import serverIsoDetach from './operations/server/iso-detach.ts';
import serverIso from './operations/server/iso.ts';
import serverList from './operations/server/list.ts';
import serverOrder from './operations/server/order.ts';
import serverOs from './operations/server/os.ts';
import serverPassword from './operations/server/password.ts';
import serverPower from './operations/server/power.ts';
import serverPrices from './operations/server/prices.ts';
import serverPtr from './operations/server/ptr.ts';
import serverReinstall from './operations/server/reinstall.ts';
import serverRenew from './operations/server/renew.ts';
import serverRescueEnd from './operations/server/rescue-end.ts';
import serverRescue from './operations/server/rescue.ts';
import serverResize from './operations/server/resize.ts';
import serverRrddata from './operations/server/rrddata.ts';
import serverSettings from './operations/server/settings.ts';
import serverSnapshotCreate from './operations/server/snapshot-create.ts';
import serverSnapshotDelete from './operations/server/snapshot-delete.ts';
import serverSnapshotRestore from './operations/server/snapshot-restore.ts';
import serverSnapshots from './operations/server/snapshots.ts';
import serverSshkeyAdd from './operations/server/sshkey-add.ts';
import serverSshkeyRemove from './operations/server/sshkey-remove.ts';
import serverSshkeys from './operations/server/sshkeys.ts';
import serverStatus from './operations/server/status.ts';
import serverVnc from './operations/server/vnc.ts';
import staffAccountClose from './operations/staff/account-close.ts';
import staffAccountSuspend from './operations/staff/account-suspend.ts';
import staffAccountUnsuspend from './operations/staff/account-unsuspend.ts';
import staffAdjustBalance from './operations/staff/adjust-balance.ts';
import staffBackendRetry from './operations/staff/backend-retry.ts';
import staffBackends from './operations/staff/backends.ts';
import staffBankAssign from './operations/staff/bank-assign.ts';
import staffBankEntries from './operations/staff/bank-entries.ts';
import staffBankIgnore from './operations/staff/bank-ignore.ts';
import staffBankImport from './operations/staff/bank-import.ts';
import staffCreditLimit from './operations/staff/credit-limit.ts';
import staffCustomer from './operations/staff/customer.ts';
import staffCustomers from './operations/staff/customers.ts';
import staffDiscountCreate from './operations/staff/discount-create.ts';
import staffDiscountEnd from './operations/staff/discount-end.ts';
import staffDiscounts from './operations/staff/discounts.ts';
import staffHosts from './operations/staff/hosts.ts';
import staffImpersonate from './operations/staff/impersonate.ts';
import staffInvoices from './operations/staff/invoices.ts';
import staffJobDrop from './operations/staff/job-drop.ts';
import staffJobRetry from './operations/staff/job-retry.ts';
import staffJobs from './operations/staff/jobs.ts';
import staffNoticeCreate from './operations/staff/notice-create.ts';
import staffNoticeEnd from './operations/staff/notice-end.ts';
import staffNotices from './operations/staff/notices.ts';
import staffNullRoute from './operations/staff/null-route.ts';
import staffPayoutPaid from './operations/staff/payout-paid.ts';
import staffPayouts from './operations/staff/payouts.ts';
import staffRefund from './operations/staff/refund.ts';
import staffRevenue from './operations/staff/revenue.ts';
import staffSearch from './operations/staff/search.ts';
import staffServerMail from './operations/staff/server-mail.ts';
import staffSuspend from './operations/staff/suspend.ts';
import staffTaskCancel from './operations/staff/task-cancel.ts';
import staffTaskRetry from './operations/staff/task-retry.ts';
import staffTicketAssign from './operations/staff/ticket-assign.ts';
import staffTicketCannedReplies from './operations/staff/ticket-canned-replies.ts';
import staffTicketCannedReplyCreate from './operations/staff/ticket-canned-reply-create.ts';
import staffTicketCannedReplyDelete from './operations/staff/ticket-canned-reply-delete.ts';
import staffTicketDetails from './operations/staff/ticket-details.ts';
import staffTicketList from './operations/staff/ticket-list.ts';
import staffTicketMerge from './operations/staff/ticket-merge.ts';
import staffTicketMessages from './operations/staff/ticket-messages.ts';
import staffTicketNote from './operations/staff/ticket-note.ts';
import staffTicketQuarantineAccept from './operations/staff/ticket-quarantine-accept.ts';
import staffTicketQuarantineDiscard from './operations/staff/ticket-quarantine-discard.ts';
import staffTicketQuarantine from './operations/staff/ticket-quarantine.ts';
import staffTicketRead from './operations/staff/ticket-read.ts';
import staffTicketReply from './operations/staff/ticket-reply.ts';
import staffTicketUpdate from './operations/staff/ticket-update.ts';
import staffUnsuspend from './operations/staff/unsuspend.ts';
import staffVoucherCreate from './operations/staff/voucher-create.ts';
import staffVoucherRevoke from './operations/staff/voucher-revoke.ts';
import staffVouchers from './operations/staff/vouchers.ts';
import taskDetails from './operations/task/details.ts';
import taskList from './operations/task/list.ts';
import ticketClose from './operations/ticket/close.ts';
import ticketCreate from './operations/ticket/create.ts';
import ticketDepartments from './operations/ticket/departments.ts';
import ticketDetails from './operations/ticket/details.ts';
import ticketList from './operations/ticket/list.ts';
import ticketMessage from './operations/ticket/message.ts';
import ticketMessages from './operations/ticket/messages.ts';
import ticketOpen from './operations/ticket/open.ts';
import ticketRead from './operations/ticket/read.ts';
import toolsCreateUuid from './operations/tools/create-uuid.ts';
import toolsIbanVerify from './operations/tools/iban-verify.ts';
import toolsNetwork from './operations/tools/network.ts';
import toolsNovnc from './operations/tools/novnc.ts';
import toolsWhois from './operations/tools/whois.ts';
import webspaceBackupCreate from './operations/webspace/backup-create.ts';
import webspaceBackupRestore from './operations/webspace/backup-restore.ts';
import webspaceBackups from './operations/webspace/backups.ts';
import webspaceCancel from './operations/webspace/cancel.ts';
import webspaceDatabaseCreate from './operations/webspace/database-create.ts';
import webspaceDatabaseDelete from './operations/webspace/database-delete.ts';
import webspaceDatabasePassword from './operations/webspace/database-password.ts';
import webspaceDatabases from './operations/webspace/databases.ts';
import webspaceDetails from './operations/webspace/details.ts';
import webspaceDomainAdd from './operations/webspace/domain-add.ts';
import webspaceDomainRemove from './operations/webspace/domain-remove.ts';
import webspaceDomainVerify from './operations/webspace/domain-verify.ts';
import webspaceList from './operations/webspace/list.ts';
import webspaceLogs from './operations/webspace/logs.ts';
import webspaceOrder from './operations/webspace/order.ts';
import webspacePackages from './operations/webspace/packages.ts';
import webspacePassword from './operations/webspace/password.ts';
import webspacePhpVersion from './operations/webspace/php-version.ts';
import webspaceRenew from './operations/webspace/renew.ts';
import webspaceSettings from './operations/webspace/settings.ts';
import webspaceSftpKeyAdd from './operations/webspace/sftp-key-add.ts';
import webspaceSftpKeyRemove from './operations/webspace/sftp-key-remove.ts';
import webspaceSftpKeys from './operations/webspace/sftp-keys.ts';
import webspaceStatus from './operations/webspace/status.ts';
import webspaceUsage from './operations/webspace/usage.ts';
import type { Operation } from './operation.ts';

export const operations: readonly Operation[] = [
  accountAffiliateStats,
  accountBalance,
  accountClose,
  accountDashboard,
  accountEmailChange,
  accountEmailVerificationResend,
  accountEmailVerify,
  accountEvents,
  accountExport,
  accountExports,
  accountGetAddress,
  accountInvitationRevoke,
  accountInvoice,
  accountInvoices,
  accountLedgerProof,
  accountLedger,
  accountLogin,
  accountLogout,
  accountOrder,
  accountOrders,
  accountPasswordChange,
  accountPasswordResetConfirm,
  accountPasswordReset,
  accountPaymentMethodRemove,
  accountPaymentMethods,
  accountPayment,
  accountPayments,
  accountRecoveryCodes,
  accountRedeemVoucher,
  accountRegister,
  accountRenewalOrder,
  accountSaveAddress,
  accountServices,
  accountSessionEnd,
  accountSession,
  accountSignIns,
  accountStatement,
  accountTokenCreate,
  accountTokenRevoke,
  accountTokens,
  accountTopupSettings,
  accountTopup,
  accountTransactions,
  accountTwoFactorConfirm,
  accountTwoFactorDisable,
  accountTwoFactorSetup,
  accountUpdate,
  accountUserAccept,
  accountUserInvite,
  accountUserRemove,
  accountUserUpdate,
  accountUsers,
  accountWebhookCreate,
  accountWebhookDelete,
  accountWebhookDeliveries,
  accountWebhookReplay,
  accountWebhookTest,
  accountWebhookUpdate,
  accountWebhooks,
  domainAuthcode,
  domainCancel,
  domainCheck,
  domainContactApprove,
  domainContactGet,
  domainContactUpdate,
  domainContactVerifyResend,
  domainContactVerify,
  domainContacts,
  domainDetails,
  domainDnsHistory,
  domainDnsRecords,
  domainDnsRollback,
  domainDnsUpdate,
  domainList,
  domainNameservers,
  domainOrderMany,
  domainOrder,
  domainPricelist,
  domainSettings,
  domainTransferAnswer,
  domainTransfer,
  domainWhoisPrivacyGet,
  domainWhoisPrivacyUpdate,
  panelBindIp,
  panelCancel,
  panelDetails,
  panelLicenseFile,
  panelList,
  panelOrder,
  panelPackages,
  panelPublicKey,
  panelRename,
  panelRenew,
  panelSettings,
  panelUnbindIp,
  panelValidate,
  serverBackupCreate,
  serverBackupDelete,
  serverBackupRestore,
  serverBackupSchedule,
  serverBackups,
  serverCancel,
  serverConfig,
  serverFirewallReplace,
  serverFirewall,
  serverHardware,
  serverHosts,
  serverIpaddresses,
  serverIsoAttach,
  serverIsoDetach,
  serverIso,
  serverList,
  serverOrder,
  serverOs,
  serverPassword,
  serverPower,
  serverPrices,
  serverPtr,
  serverReinstall,
  serverRenew,
  serverRescueEnd,
  serverRescue,
  serverResize,
  serverRrddata,
  serverSettings,
  serverSnapshotCreate,
  serverSnapshotDelete,
  serverSnapshotRestore,
  serverSnapshots,
  serverSshkeyAdd,
  serverSshkeyRemove,
  serverSshkeys,
  serverStatus,
  serverVnc,
  staffAccountClose,
  staffAccountSuspend,
  staffAccountUnsuspend,
  staffAdjustBalance,
  staffBackendRetry,
  staffBackends,
  staffBankAssign,
  staffBankEntries,
  staffBankIgnore,
  staffBankImport,
  staffCreditLimit,
  staffCustomer,
  staffCustomers,
  staffDiscountCreate,
  staffDiscountEnd,
  staffDiscounts,
  staffHosts,
  staffImpersonate,
  staffInvoices,
  staffJobDrop,
  staffJobRetry,
  staffJobs,
  staffNoticeCreate,
  staffNoticeEnd,
  staffNotices,
  staffNullRoute,
  staffPayoutPaid,
  staffPayouts,
  staffRefund,
  staffRevenue,
  staffSearch,
  staffServerMail,
  staffSuspend,
  staffTaskCancel,
  staffTaskRetry,
  staffTicketAssign,
  staffTicketCannedReplies,
  staffTicketCannedReplyCreate,
  staffTicketCannedReplyDelete,
  staffTicketDetails,
  staffTicketList,
  staffTicketMerge,
  staffTicketMessages,
  staffTicketNote,
  staffTicketQuarantineAccept,
  staffTicketQuarantineDiscard,
  staffTicketQuarantine,
  staffTicketRead,
  staffTicketReply,
  staffTicketUpdate,
  staffUnsuspend,
  staffVoucherCreate,
  staffVoucherRevoke,
  staffVouchers,
  taskDetails,
  taskList,
  ticketClose,
  ticketCreate,
  ticketDepartments,
  ticketDetails,
  ticketList,
  ticketMessage,
  ticketMessages,
  ticketOpen,
  ticketRead,
  toolsCreateUuid,
  toolsIbanVerify,
  toolsNetwork,
  toolsNovnc,
  toolsWhois,
  webspaceBackupCreate,
  webspaceBackupRestore,
  webspaceBackups,
  webspaceCancel,
  webspaceDatabaseCreate,
  webspaceDatabaseDelete,
  webspaceDatabasePassword,
  webspaceDatabases,
  webspaceDetails,
  webspaceDomainAdd,
  webspaceDomainRemove,
  webspaceDomainVerify,
  webspaceList,
  webspaceLogs,
  webspaceOrder,
  webspacePackages,
  webspacePassword,
  webspacePhpVersion,
  webspaceRenew,
  webspaceSettings,
  webspaceSftpKeyAdd,
  webspaceSftpKeyRemove,
  webspaceSftpKeys,
  webspaceStatus,
  webspaceUsage,
];

// Made by `npm run generate` from the tree. Do not edit.
import m0 from './operations/account/affiliate-stats.ts';
import m1 from './operations/account/balance.ts';
import m2 from './operations/account/dashboard.ts';
import m3 from './operations/account/email-change.ts';
import m4 from './operations/account/email-verification-resend.ts';
import m5 from './operations/account/email-verify.ts';
import m6 from './operations/account/events.ts';
import m7 from './operations/account/export.ts';
import m8 from './operations/account/exports.ts';
import m9 from './operations/account/get-address.ts';
import m10 from './operations/account/invitation-revoke.ts';
import m11 from './operations/account/invoice.ts';
import m12 from './operations/account/invoices.ts';
import m13 from './operations/account/ledger-proof.ts';
import m14 from './operations/account/ledger.ts';
import m15 from './operations/account/login.ts';
import m16 from './operations/account/logout.ts';
import m17 from './operations/account/order.ts';
import m18 from './operations/account/orders.ts';
import m19 from './operations/account/password-change.ts';
import m20 from './operations/account/password-reset-confirm.ts';
import m21 from './operations/account/password-reset.ts';
import m22 from './operations/account/payment-method-remove.ts';
import m23 from './operations/account/payment-methods.ts';
import m24 from './operations/account/payment.ts';
import m25 from './operations/account/payments.ts';
import m26 from './operations/account/recovery-codes.ts';
import m27 from './operations/account/redeem-voucher.ts';
import m28 from './operations/account/register.ts';
import m29 from './operations/account/renewal-order.ts';
import m30 from './operations/account/save-address.ts';
import m31 from './operations/account/services.ts';
import m32 from './operations/account/session.ts';
import m33 from './operations/account/statement.ts';
import m34 from './operations/account/token-create.ts';
import m35 from './operations/account/token-revoke.ts';
import m36 from './operations/account/tokens.ts';
import m37 from './operations/account/topup-settings.ts';
import m38 from './operations/account/topup.ts';
import m39 from './operations/account/transactions.ts';
import m40 from './operations/account/two-factor-confirm.ts';
import m41 from './operations/account/two-factor-disable.ts';
import m42 from './operations/account/two-factor-setup.ts';
import m43 from './operations/account/user-accept.ts';
import m44 from './operations/account/user-invite.ts';
import m45 from './operations/account/user-remove.ts';
import m46 from './operations/account/user-update.ts';
import m47 from './operations/account/users.ts';
import m48 from './operations/account/webhook-create.ts';
import m49 from './operations/account/webhook-delete.ts';
import m50 from './operations/account/webhook-deliveries.ts';
import m51 from './operations/account/webhook-replay.ts';
import m52 from './operations/account/webhook-test.ts';
import m53 from './operations/account/webhook-update.ts';
import m54 from './operations/account/webhooks.ts';
import m55 from './operations/domain/authcode.ts';
import m56 from './operations/domain/cancel.ts';
import m57 from './operations/domain/check.ts';
import m58 from './operations/domain/contact-approve.ts';
import m59 from './operations/domain/contact-get.ts';
import m60 from './operations/domain/contact-update.ts';
import m61 from './operations/domain/contact-verify-resend.ts';
import m62 from './operations/domain/contact-verify.ts';
import m63 from './operations/domain/contacts.ts';
import m64 from './operations/domain/details.ts';
import m65 from './operations/domain/dns-history.ts';
import m66 from './operations/domain/dns-records.ts';
import m67 from './operations/domain/dns-rollback.ts';
import m68 from './operations/domain/dns-update.ts';
import m69 from './operations/domain/list.ts';
import m70 from './operations/domain/nameservers.ts';
import m71 from './operations/domain/order-many.ts';
import m72 from './operations/domain/order.ts';
import m73 from './operations/domain/pricelist.ts';
import m74 from './operations/domain/settings.ts';
import m75 from './operations/domain/transfer-answer.ts';
import m76 from './operations/domain/transfer.ts';
import m77 from './operations/domain/whois-privacy-get.ts';
import m78 from './operations/domain/whois-privacy-update.ts';
import m79 from './operations/panel/bind-ip.ts';
import m80 from './operations/panel/cancel.ts';
import m81 from './operations/panel/details.ts';
import m82 from './operations/panel/license-file.ts';
import m83 from './operations/panel/list.ts';
import m84 from './operations/panel/order.ts';
import m85 from './operations/panel/packages.ts';
import m86 from './operations/panel/public-key.ts';
import m87 from './operations/panel/rename.ts';
import m88 from './operations/panel/renew.ts';
import m89 from './operations/panel/settings.ts';
import m90 from './operations/panel/unbind-ip.ts';
import m91 from './operations/panel/validate.ts';
import m92 from './operations/server/backup-create.ts';
import m93 from './operations/server/backup-delete.ts';
import m94 from './operations/server/backup-restore.ts';
import m95 from './operations/server/backup-schedule.ts';
import m96 from './operations/server/backups.ts';
import m97 from './operations/server/cancel.ts';
import m98 from './operations/server/config.ts';
import m99 from './operations/server/firewall-replace.ts';
import m100 from './operations/server/firewall.ts';
import m101 from './operations/server/hardware.ts';
import m102 from './operations/server/hosts.ts';
import m103 from './operations/server/ipaddresses.ts';
import m104 from './operations/server/iso-attach.ts';
import m105 from './operations/server/iso-detach.ts';
import m106 from './operations/server/iso.ts';
import m107 from './operations/server/list.ts';
import m108 from './operations/server/order.ts';
import m109 from './operations/server/os.ts';
import m110 from './operations/server/password.ts';
import m111 from './operations/server/power.ts';
import m112 from './operations/server/prices.ts';
import m113 from './operations/server/ptr.ts';
import m114 from './operations/server/reinstall.ts';
import m115 from './operations/server/renew.ts';
import m116 from './operations/server/rescue-end.ts';
import m117 from './operations/server/rescue.ts';
import m118 from './operations/server/resize.ts';
import m119 from './operations/server/rrddata.ts';
import m120 from './operations/server/settings.ts';
import m121 from './operations/server/snapshot-create.ts';
import m122 from './operations/server/snapshot-delete.ts';
import m123 from './operations/server/snapshot-restore.ts';
import m124 from './operations/server/snapshots.ts';
import m125 from './operations/server/sshkey-add.ts';
import m126 from './operations/server/sshkey-remove.ts';
import m127 from './operations/server/sshkeys.ts';
import m128 from './operations/server/status.ts';
import m129 from './operations/server/vnc.ts';
import m130 from './operations/staff/adjust-balance.ts';
import m131 from './operations/staff/bank-assign.ts';
import m132 from './operations/staff/bank-entries.ts';
import m133 from './operations/staff/bank-ignore.ts';
import m134 from './operations/staff/bank-import.ts';
import m135 from './operations/staff/customer.ts';
import m136 from './operations/staff/customers.ts';
import m137 from './operations/staff/discount-create.ts';
import m138 from './operations/staff/discount-end.ts';
import m139 from './operations/staff/discounts.ts';
import m140 from './operations/staff/hosts.ts';
import m141 from './operations/staff/impersonate.ts';
import m142 from './operations/staff/invoices.ts';
import m143 from './operations/staff/notice-create.ts';
import m144 from './operations/staff/notice-end.ts';
import m145 from './operations/staff/notices.ts';
import m146 from './operations/staff/null-route.ts';
import m147 from './operations/staff/refund.ts';
import m148 from './operations/staff/revenue.ts';
import m149 from './operations/staff/server-mail.ts';
import m150 from './operations/staff/suspend.ts';
import m151 from './operations/staff/task-cancel.ts';
import m152 from './operations/staff/ticket-assign.ts';
import m153 from './operations/staff/ticket-canned-replies.ts';
import m154 from './operations/staff/ticket-canned-reply-create.ts';
import m155 from './operations/staff/ticket-canned-reply-delete.ts';
import m156 from './operations/staff/ticket-details.ts';
import m157 from './operations/staff/ticket-list.ts';
import m158 from './operations/staff/ticket-merge.ts';
import m159 from './operations/staff/ticket-messages.ts';
import m160 from './operations/staff/ticket-note.ts';
import m161 from './operations/staff/ticket-quarantine-accept.ts';
import m162 from './operations/staff/ticket-quarantine-discard.ts';
import m163 from './operations/staff/ticket-quarantine.ts';
import m164 from './operations/staff/ticket-read.ts';
import m165 from './operations/staff/ticket-reply.ts';
import m166 from './operations/staff/ticket-update.ts';
import m167 from './operations/staff/unsuspend.ts';
import m168 from './operations/staff/voucher-create.ts';
import m169 from './operations/staff/voucher-revoke.ts';
import m170 from './operations/staff/vouchers.ts';
import m171 from './operations/task/details.ts';
import m172 from './operations/task/list.ts';
import m173 from './operations/ticket/close.ts';
import m174 from './operations/ticket/create.ts';
import m175 from './operations/ticket/departments.ts';
import m176 from './operations/ticket/details.ts';
import m177 from './operations/ticket/list.ts';
import m178 from './operations/ticket/message.ts';
import m179 from './operations/ticket/messages.ts';
import m180 from './operations/ticket/open.ts';
import m181 from './operations/ticket/read.ts';
import m182 from './operations/tools/create-uuid.ts';
import m183 from './operations/tools/iban-verify.ts';
import m184 from './operations/tools/network.ts';
import m185 from './operations/tools/novnc.ts';
import m186 from './operations/tools/whois.ts';
import m187 from './operations/webspace/backup-create.ts';
import m188 from './operations/webspace/backup-restore.ts';
import m189 from './operations/webspace/backups.ts';
import m190 from './operations/webspace/cancel.ts';
import m191 from './operations/webspace/database-create.ts';
import m192 from './operations/webspace/database-delete.ts';
import m193 from './operations/webspace/database-password.ts';
import m194 from './operations/webspace/databases.ts';
import m195 from './operations/webspace/details.ts';
import m196 from './operations/webspace/domain-add.ts';
import m197 from './operations/webspace/domain-remove.ts';
import m198 from './operations/webspace/domain-verify.ts';
import m199 from './operations/webspace/list.ts';
import m200 from './operations/webspace/logs.ts';
import m201 from './operations/webspace/order.ts';
import m202 from './operations/webspace/packages.ts';
import m203 from './operations/webspace/password.ts';
import m204 from './operations/webspace/php-version.ts';
import m205 from './operations/webspace/renew.ts';
import m206 from './operations/webspace/settings.ts';
import m207 from './operations/webspace/sftp-key-add.ts';
import m208 from './operations/webspace/sftp-key-remove.ts';
import m209 from './operations/webspace/sftp-keys.ts';
import m210 from './operations/webspace/status.ts';
import m211 from './operations/webspace/usage.ts';
import type { Operation } from './operation.ts';

export const operations: readonly Operation[] = [
  m0,
  m1,
  m2,
  m3,
  m4,
  m5,
  m6,
  m7,
  m8,
  m9,
  m10,
  m11,
  m12,
  m13,
  m14,
  m15,
  m16,
  m17,
  m18,
  m19,
  m20,
  m21,
  m22,
  m23,
  m24,
  m25,
  m26,
  m27,
  m28,
  m29,
  m30,
  m31,
  m32,
  m33,
  m34,
  m35,
  m36,
  m37,
  m38,
  m39,
  m40,
  m41,
  m42,
  m43,
  m44,
  m45,
  m46,
  m47,
  m48,
  m49,
  m50,
  m51,
  m52,
  m53,
  m54,
  m55,
  m56,
  m57,
  m58,
  m59,
  m60,
  m61,
  m62,
  m63,
  m64,
  m65,
  m66,
  m67,
  m68,
  m69,
  m70,
  m71,
  m72,
  m73,
  m74,
  m75,
  m76,
  m77,
  m78,
  m79,
  m80,
  m81,
  m82,
  m83,
  m84,
  m85,
  m86,
  m87,
  m88,
  m89,
  m90,
  m91,
  m92,
  m93,
  m94,
  m95,
  m96,
  m97,
  m98,
  m99,
  m100,
  m101,
  m102,
  m103,
  m104,
  m105,
  m106,
  m107,
  m108,
  m109,
  m110,
  m111,
  m112,
  m113,
  m114,
  m115,
  m116,
  m117,
  m118,
  m119,
  m120,
  m121,
  m122,
  m123,
  m124,
  m125,
  m126,
  m127,
  m128,
  m129,
  m130,
  m131,
  m132,
  m133,
  m134,
  m135,
  m136,
  m137,
  m138,
  m139,
  m140,
  m141,
  m142,
  m143,
  m144,
  m145,
  m146,
  m147,
  m148,
  m149,
  m150,
  m151,
  m152,
  m153,
  m154,
  m155,
  m156,
  m157,
  m158,
  m159,
  m160,
  m161,
  m162,
  m163,
  m164,
  m165,
  m166,
  m167,
  m168,
  m169,
  m170,
  m171,
  m172,
  m173,
  m174,
  m175,
  m176,
  m177,
  m178,
  m179,
  m180,
  m181,
  m182,
  m183,
  m184,
  m185,
  m186,
  m187,
  m188,
  m189,
  m190,
  m191,
  m192,
  m193,
  m194,
  m195,
  m196,
  m197,
  m198,
  m199,
  m200,
  m201,
  m202,
  m203,
  m204,
  m205,
  m206,
  m207,
  m208,
  m209,
  m210,
  m211,
];

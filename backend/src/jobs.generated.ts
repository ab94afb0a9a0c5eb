// Made by `npm run generate` from the tree. Do not edit.
import m0 from './business/affiliates/jobs/commissions.ts';
import m1 from './business/consoles/jobs/keep-sessions.ts';
import m2 from './business/domains/jobs/ask-premium.ts';
import m3 from './business/domains/jobs/authcode-ends.ts';
import m4 from './business/domains/jobs/authcode.ts';
import m5 from './business/domains/jobs/changes.ts';
import m6 from './business/domains/jobs/enforce.ts';
import m7 from './business/domains/jobs/follow.ts';
import m8 from './business/domains/jobs/lock-ends.ts';
import m9 from './business/domains/jobs/look.ts';
import m10 from './business/domains/jobs/poll.ts';
import m11 from './business/domains/jobs/publication-deadline.ts';
import m12 from './business/domains/jobs/push.ts';
import m13 from './business/domains/jobs/reconcile.ts';
import m14 from './business/domains/jobs/register.ts';
import m15 from './business/domains/jobs/renew.ts';
import m16 from './business/domains/jobs/restore.ts';
import m17 from './business/domains/jobs/transfer-out.ts';
import m18 from './business/domains/jobs/transfer.ts';
import m19 from './business/domains/jobs/unpublished.ts';
import m20 from './business/domains/jobs/verification.ts';
import m21 from './business/exports/jobs/build.ts';
import m22 from './business/invoices/jobs/collect.ts';
import m23 from './business/invoices/jobs/issue.ts';
import m24 from './business/invoices/jobs/statement.ts';
import m25 from './business/ledger/jobs/sign-heads.ts';
import m26 from './business/mail/jobs/deliver.ts';
import m27 from './business/orders/jobs/pending.ts';
import m28 from './business/payments/jobs/auto-topup.ts';
import m29 from './business/payments/jobs/charge.ts';
import m30 from './business/payments/jobs/forget-method.ts';
import m31 from './business/payments/jobs/low-balances.ts';
import m32 from './business/payments/jobs/pending.ts';
import m33 from './business/payments/jobs/start.ts';
import m34 from './business/servers/jobs/backup-restore.ts';
import m35 from './business/servers/jobs/backup.ts';
import m36 from './business/servers/jobs/enforce.ts';
import m37 from './business/servers/jobs/ensure-hosts.ts';
import m38 from './business/servers/jobs/firewall.ts';
import m39 from './business/servers/jobs/free-addresses.ts';
import m40 from './business/servers/jobs/iso.ts';
import m41 from './business/servers/jobs/keep-off.ts';
import m42 from './business/servers/jobs/named.ts';
import m43 from './business/servers/jobs/network-due.ts';
import m44 from './business/servers/jobs/password.ts';
import m45 from './business/servers/jobs/power.ts';
import m46 from './business/servers/jobs/provision.ts';
import m47 from './business/servers/jobs/reach.ts';
import m48 from './business/servers/jobs/reconcile.ts';
import m49 from './business/servers/jobs/reinstall.ts';
import m50 from './business/servers/jobs/remove-copies.ts';
import m51 from './business/servers/jobs/remove-copy.ts';
import m52 from './business/servers/jobs/remove-deleted.ts';
import m53 from './business/servers/jobs/rescue-end.ts';
import m54 from './business/servers/jobs/rescue.ts';
import m55 from './business/servers/jobs/resize.ts';
import m56 from './business/servers/jobs/roll-up-metrics.ts';
import m57 from './business/servers/jobs/rotate-metrics.ts';
import m58 from './business/servers/jobs/sample-metrics.ts';
import m59 from './business/servers/jobs/schedule-backups.ts';
import m60 from './business/servers/jobs/snapshot-restore.ts';
import m61 from './business/servers/jobs/snapshot.ts';
import m62 from './business/servers/jobs/stranded.ts';
import m63 from './business/servers/jobs/unthrottle.ts';
import m64 from './business/servers/jobs/uplink.ts';
import m65 from './business/servers/jobs/waiting.ts';
import m66 from './business/services/jobs/life.ts';
import m67 from './business/services/jobs/retry.ts';
import m68 from './business/tax/jobs/recheck.ts';
import m69 from './business/tickets/jobs/close-unanswered.ts';
import m70 from './business/tickets/jobs/expire-quarantine.ts';
import m71 from './business/tickets/jobs/incoming.ts';
import m72 from './business/tickets/jobs/store.ts';
import m73 from './business/upkeep/jobs/partitions.ts';
import m74 from './business/upkeep/jobs/purge.ts';
import m75 from './business/webhooks/jobs/deliver.ts';
import m76 from './business/webspaces/jobs/backup.ts';
import m77 from './business/webspaces/jobs/certificate.ts';
import m78 from './business/webspaces/jobs/certificates.ts';
import m79 from './business/webspaces/jobs/enforce.ts';
import m80 from './business/webspaces/jobs/provision.ts';
import m81 from './business/webspaces/jobs/reconcile.ts';
import m82 from './business/webspaces/jobs/remove-backup.ts';
import m83 from './business/webspaces/jobs/remove-deleted.ts';
import m84 from './business/webspaces/jobs/restore.ts';
import m85 from './business/webspaces/jobs/schedule-backups.ts';
import m86 from './business/webspaces/jobs/stranded.ts';
import m87 from './business/webspaces/jobs/usage.ts';
import m88 from './business/webspaces/jobs/withdraw-names.ts';
import m89 from './business/zones/jobs/aliases.ts';
import m90 from './business/zones/jobs/delegate.ts';
import m91 from './business/zones/jobs/due.ts';
import m92 from './business/zones/jobs/history-size.ts';
import m93 from './business/zones/jobs/history.ts';
import m94 from './business/zones/jobs/nameservers.ts';
import m95 from './business/zones/jobs/publish.ts';
import m96 from './business/zones/jobs/reconcile.ts';
import m97 from './business/zones/jobs/visible.ts';
import type { Job } from './work/job.ts';

export const jobs: readonly Job[] = [
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
];

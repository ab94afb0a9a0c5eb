// Made by `npm run generate` from the tree. Do not edit.
import m0 from './operations/account/balance.ts';
import m1 from './operations/account/login.ts';
import m2 from './operations/account/logout.ts';
import m3 from './operations/account/register.ts';
import m4 from './operations/account/session.ts';
import m5 from './operations/account/token-create.ts';
import m6 from './operations/account/token-revoke.ts';
import m7 from './operations/account/tokens.ts';
import m8 from './operations/account/transactions.ts';
import m9 from './operations/domain/check.ts';
import m10 from './operations/domain/pricelist.ts';
import m11 from './operations/panel/bind-ip.ts';
import m12 from './operations/panel/details.ts';
import m13 from './operations/panel/license-file.ts';
import m14 from './operations/panel/list.ts';
import m15 from './operations/panel/order.ts';
import m16 from './operations/panel/packages.ts';
import m17 from './operations/panel/public-key.ts';
import m18 from './operations/panel/rename.ts';
import m19 from './operations/panel/renew.ts';
import m20 from './operations/panel/unbind-ip.ts';
import m21 from './operations/panel/validate.ts';
import m22 from './operations/server/config.ts';
import m23 from './operations/server/hosts.ts';
import m24 from './operations/server/list.ts';
import m25 from './operations/server/order.ts';
import m26 from './operations/server/os.ts';
import m27 from './operations/server/prices.ts';
import m28 from './operations/server/status.ts';
import m29 from './operations/staff/adjust-balance.ts';
import m30 from './operations/staff/customers.ts';
import m31 from './operations/staff/suspend.ts';
import m32 from './operations/staff/unsuspend.ts';
import m33 from './operations/task/details.ts';
import m34 from './operations/task/list.ts';
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
];

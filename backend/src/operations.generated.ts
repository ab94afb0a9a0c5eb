// Made by `npm run generate` from the tree. Do not edit.
import m0 from './operations/account/login.ts';
import m1 from './operations/account/logout.ts';
import m2 from './operations/account/register.ts';
import m3 from './operations/account/session.ts';
import m4 from './operations/account/token-create.ts';
import m5 from './operations/account/token-revoke.ts';
import m6 from './operations/account/tokens.ts';
import m7 from './operations/account/transactions.ts';
import m8 from './operations/domain/check.ts';
import m9 from './operations/domain/pricelist.ts';
import m10 from './operations/panel/bind-ip.ts';
import m11 from './operations/panel/details.ts';
import m12 from './operations/panel/license-file.ts';
import m13 from './operations/panel/list.ts';
import m14 from './operations/panel/order.ts';
import m15 from './operations/panel/packages.ts';
import m16 from './operations/panel/public-key.ts';
import m17 from './operations/panel/rename.ts';
import m18 from './operations/panel/renew.ts';
import m19 from './operations/panel/unbind-ip.ts';
import m20 from './operations/panel/validate.ts';
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
];

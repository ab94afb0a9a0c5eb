// Made by `npm run generate` from the tree. Do not edit.

import type { Operation } from './operation.ts';
import m0 from './operations/panel/bind-ip.ts';
import m1 from './operations/panel/details.ts';
import m2 from './operations/panel/license-file.ts';
import m3 from './operations/panel/list.ts';
import m4 from './operations/panel/order.ts';
import m5 from './operations/panel/packages.ts';
import m6 from './operations/panel/public-key.ts';
import m7 from './operations/panel/rename.ts';
import m8 from './operations/panel/renew.ts';
import m9 from './operations/panel/unbind-ip.ts';
import m10 from './operations/panel/validate.ts';

export const operations: readonly Operation[] = [m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10];

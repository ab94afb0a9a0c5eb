// Slow: 35 s

import { after } from 'node:test';
import { accountCases } from './cases/accounts.ts';
import { tokenCases } from './cases/tokens.ts';
import { installation } from './installation.ts';

const subject = await installation();
after(() => subject.stop());
tokenCases(subject, subject.operator);
accountCases(subject);

import { after } from 'node:test';
import { moneyCases } from './cases/money.ts';
import { installation } from './installation.ts';

const subject = await installation();
after(() => subject.stop());
// Only an operator can give a customer exactly the balance a case needs.
if (subject.operator) moneyCases(subject, subject.operator);

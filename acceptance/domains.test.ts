// Slow: 25 s

import { after } from 'node:test';
import { domainCases } from './cases/domains.ts';
import { installation } from './installation.ts';

const subject = await installation();
after(() => subject.stop());
// Only an operator can give a customer exactly the balance a case needs.
if (subject.operator) domainCases(subject, subject.operator);

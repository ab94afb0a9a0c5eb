import { after } from 'node:test';
import { errorCases } from './cases/errors.ts';
import { ownershipCases } from './cases/ownership.ts';
import { installation } from './installation.ts';

const subject = await installation();
after(() => subject.stop());
errorCases(subject);
if (subject.operator) ownershipCases(subject, subject.operator);

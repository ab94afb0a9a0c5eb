import { after } from 'node:test';
import { peopleCases } from './cases/people.ts';
import { installation } from './installation.ts';

const subject = await installation();
after(() => subject.stop());
// Links come by mail, and only an operator can read what the sandbox was given.
if (subject.operator) peopleCases(subject, subject.operator);

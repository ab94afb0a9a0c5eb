import { after } from 'node:test';
import { ticketCases } from './cases/tickets.ts';
import { toolsCases } from './cases/tools.ts';
import { installation } from './installation.ts';

const subject = await installation();
after(() => subject.stop());
toolsCases(subject);
// Each customer is one of its own, and the demo's operator answers.
if (subject.operator) ticketCases(subject, subject.operator);

import { after } from 'node:test';
import { domainCheckCases } from './cases/domain-check.ts';
import { interfaceCases } from './cases/interface.ts';
import { installation } from './installation.ts';

const subject = await installation();
after(() => subject.stop());
interfaceCases(subject);
domainCheckCases(subject);

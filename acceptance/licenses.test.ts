import { after } from 'node:test';
import { licenseCases } from './cases/licenses.ts';
import { validationCases } from './cases/validation.ts';
import { installation } from './installation.ts';

const subject = await installation();
after(() => subject.stop());
licenseCases(subject);
validationCases(subject);

// Slow: 55 s

import { after } from 'node:test';
import { accountCases } from './cases/accounts.ts';
import { billingCases, invoiceCases, invoicedOrderCases } from './cases/billing.ts';
import { domainCheckCases } from './cases/domain-check.ts';
import { errorCases } from './cases/errors.ts';
import { interfaceCases } from './cases/interface.ts';
import { licenseCases } from './cases/licenses.ts';
import { moneyCases } from './cases/money.ts';
import { ownershipCases } from './cases/ownership.ts';
import { peopleCases } from './cases/people.ts';
import { tokenCases } from './cases/tokens.ts';
import { validationCases } from './cases/validation.ts';
import { cluster } from './cluster.ts';
import { attached } from './installation.ts';

// Pointed at an installation, the other files already spread their requests over its addresses.
if (!attached()) {
  const subject = await cluster();
  after(() => subject.stop());
  const invoiced = invoicedOrderCases(subject);
  interfaceCases(subject);
  domainCheckCases(subject);
  licenseCases(subject);
  validationCases(subject);
  moneyCases(subject, subject.operator);
  errorCases(subject);
  ownershipCases(subject, subject.operator);
  tokenCases(subject, subject.operator);
  accountCases(subject);
  peopleCases(subject, subject.operator);
  billingCases(subject, subject.operator);
  invoiceCases(subject, invoiced);
}

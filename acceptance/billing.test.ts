import { after } from 'node:test';
import { billingCases, invoiceCases, invoicedOrderCases } from './cases/billing.ts';
import { installation } from './installation.ts';

const subject = await installation();
after(() => subject.stop());
// Only an operator can give a customer exactly the balance a case needs, and import a bank's statement.
if (subject.operator) {
  const invoiced = invoicedOrderCases(subject);
  billingCases(subject, subject.operator);
  invoiceCases(subject, invoiced);
}

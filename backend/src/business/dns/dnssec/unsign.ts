import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { lockZoneOfDomain } from '../zone/zone.ts';
import { nextStep } from './dnssec.ts';
import { factsOf } from './dnssec-facts.ts';
import { takeStep, wishSigned } from './dnssec-step.ts';

/** A domain is about to leave our name servers: what signs its zone ends, beginning with the DS (rule F7). */
export async function unsignZone(tx: Transaction, uow: UnitOfWork, domainId: string): Promise<void> {
  const zone = await lockZoneOfDomain(tx, domainId);
  if (zone === null || !zone.dnssec_wanted) return;
  const unwanted = await wishSigned(tx, zone, false);
  await takeStep(tx, uow, unwanted, nextStep(factsOf(unwanted, uow.now)));
}

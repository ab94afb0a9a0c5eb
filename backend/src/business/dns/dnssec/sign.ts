import type { Transaction } from '../../../db/transaction.ts';
import type { UnitOfWork } from '../../../unit-of-work/unit-of-work.ts';
import { lockZoneOfDomain } from '../zone/zone.ts';
import { nextStep } from './dnssec.ts';
import { factsOf } from './dnssec-facts.ts';
import { takeStep, wishSigned } from './dnssec-step.ts';

/**
 * A domain that is to be signed has come to our name servers: its zone is signed at once; its DS waits until nobody asks
 * the name servers before.
 */
export async function signZone(tx: Transaction, uow: UnitOfWork, domainId: string): Promise<void> {
  const zone = await lockZoneOfDomain(tx, domainId);
  if (zone === null || zone.dnssec !== 'off') return;
  const wanted = await wishSigned(tx, zone, true);
  await takeStep(tx, uow, wanted, nextStep(factsOf(wanted, uow.now)));
}

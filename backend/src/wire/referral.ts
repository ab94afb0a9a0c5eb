import type { FastifyInstance } from 'fastify';
import type { Clock } from '../base/clock.ts';
import { type CatalogStore, NoCatalog } from '../business/core/catalog/versions.ts';
import { REFERRAL_PATH } from '../business/selling/affiliates/affiliate.ts';
import { countClick } from '../business/selling/affiliates/click.ts';
import { readReferralCode, referralCookie } from '../business/selling/affiliates/referral.ts';
import type { Executor } from '../db/pool.ts';
import { addressOf } from './http.ts';

export interface ReferralOptions {
  /** For counters: commits without waiting for the disk. */
  readonly db: Executor;
  readonly clock: Clock;
  readonly catalogs: CatalogStore;
  readonly publicUrl: () => string;
}

/**
 * `GET /r/<code>`, an affiliate's link: counts the visitor, leaves a cookie that names the affiliate when the visitor
 * opens an account, and goes on to the front page. Codes that nobody has do the same, and nobody can tell them apart.
 */
export function addReferralRoute(app: FastifyInstance, options: ReferralOptions): void {
  const { db, clock, catalogs, publicUrl } = options;
  app.get<{ Params: { code: string } }>(`${REFERRAL_PATH}/:code`, async (request, reply) => {
    const code = isOn(catalogs) ? readReferralCode(request.params.code) : null;
    if (code !== null) {
      reply.header('set-cookie', referralCookie(code, publicUrl()));
      // Browsers ask for pages; most of what follows links by itself does not. A visitor is not kept waiting, let
      // alone turned away, because they cannot be counted.
      if (request.headers.accept?.includes('text/html')) {
        await countClick(db, code, addressOf(request), clock.now()).catch(() => {});
      }
    }
    return reply
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .redirect(`${publicUrl()}/`, 302);
  });
}

function isOn(catalogs: CatalogStore): boolean {
  try {
    return catalogs.current().content.affiliate.enabled;
  } catch (error) {
    if (error instanceof NoCatalog) return false;
    throw error;
  }
}

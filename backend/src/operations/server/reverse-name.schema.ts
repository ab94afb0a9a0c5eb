import { isHostname } from '../../base/hostname.ts';
import type { CatalogVersion } from '../../business/core/catalog/versions.ts';
import { mayBeNamed } from '../../business/servers/network/reverse-name.ts';
import type { Refusal } from '../../errors.ts';

/** Refuses what an account may not call its addresses: no host name, or under a domain of somebody else (rule F11). */
export async function mustBeNameable(
  ctx: {
    readonly caller: { readonly accountId: string };
    readonly publicUrl: string;
    refusal(code: 'rdns_invalid'): Refusal;
  },
  db: Parameters<typeof mayBeNamed>[0],
  catalog: CatalogVersion,
  name: string,
): Promise<void> {
  const claim = { accountId: ctx.caller.accountId, name, publicUrl: ctx.publicUrl };
  if (!isHostname(name) || !(await mayBeNamed(db, catalog, claim))) throw ctx.refusal('rdns_invalid');
}

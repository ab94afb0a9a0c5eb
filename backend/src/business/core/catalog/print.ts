import { Document, isCollection, isMap, isNode, isScalar, isSeq } from 'yaml';
import { type Catalog, catalogDocument } from './schema/schema.ts';

const WIDTH = 130;
const HEADER =
  ' Everything that is sold, at one version of the prices. Prices include tax; those of TLDs are for a year.';

/** Decimals that a price is printed with even if they are zeros. */
const DECIMALS = new Map([
  ...'register renew transfer restore trade whois_privacy setup license_price year month'
    .split(' ')
    .map((name): [string, number] => [name, 2]),
  ['hour', 4],
]);

/**
 * The catalogue as YAML that a person can read and change: what fits on a line is one line, prices have their
 * decimals, and what goes without saying is left out. `parseCatalog` reads an equal catalogue back.
 */
export function printCatalog(catalog: Catalog): string {
  const yaml = new Document(catalogDocument(catalog), { schema: 'core', aliasDuplicateObjects: false });
  yaml.commentBefore = HEADER;
  if (isMap(yaml.contents)) {
    for (const { key, value } of yaml.contents.items) {
      if (isNode(key) && isCollection(value)) key.spaceBefore = true;
      layOut(value, true);
    }
  }
  return yaml.toString({ lineWidth: 0 });
}

/** Decides line or block for each collection; a section with anything structured in it is always a block. */
function layOut(node: unknown, isSection: boolean): void {
  if (!isCollection(node)) return;
  const values = isMap(node) ? node.items.map((pair) => pair.value) : isSeq(node) ? node.items : [];
  node.flow = !(isSection && values.some(isCollection)) && fitsOnALine(node.toJSON());
  if (isMap(node)) printPrices(node.items);
  for (const value of values) layOut(value, false);
}

function printPrices(pairs: readonly { key: unknown; value: unknown }[]): void {
  for (const { key, value } of pairs) {
    if (!isScalar(key) || !isScalar(value) || typeof value.value !== 'number') continue;
    const decimals = DECIMALS.get(String(key.value));
    if (decimals !== undefined) value.minFractionDigits = decimals;
  }
}

function fitsOnALine(value: unknown): boolean {
  const text = JSON.stringify(value, null, 1);
  return !text.includes('\\n') && text.replace(/\n */g, ' ').replaceAll('"', '').length <= WIDTH;
}

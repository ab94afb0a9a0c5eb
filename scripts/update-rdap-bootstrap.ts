// Brings IANA's lists of RDAP servers, which hold where IANA does not answer: node scripts/update-rdap-bootstrap.ts
import { writeFileSync } from 'node:fs';

for (const kind of ['dns', 'ipv4', 'ipv6', 'asn']) {
  const response = await fetch(`https://data.iana.org/rdap/${kind}.json`);
  if (!response.ok) throw new Error(`IANA answers ${response.status}`);
  const list = JSON.stringify(await response.json(), null, 2);
  const file = new URL(`../backend/src/drivers/whois/internet/bootstrap/${kind}.json`, import.meta.url);
  writeFileSync(file, `${list}\n`);
}
console.log('Now: npx biome format --write backend/src/drivers/whois/internet/bootstrap');

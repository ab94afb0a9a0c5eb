import { done } from './contracts/webserver.ts';
import { openWebHost, ran, until } from './web-host.ts';

// A test in the middle of its work, which somebody kills: a host with a site in which programs start others. They end
// by themselves after some seconds.
const host = await openWebHost();
const site = host.wanted();
done(await host.driver.ensureSite(site));
const uid = String(site.uid);
const chain = 'for (1..3000) { fork and exit; select undef, undef, undef, 0.002 }';
ran([
  ...['setpriv', '--reuid', uid, '--regid', uid, '--clear-groups'],
  ...['sh', '-c', 'setsid perl -e "$1" </dev/null >/dev/null 2>&1 &', 'sh', chain],
]);
await until('it runs', () => ran(['pgrep', '-U', uid]).code === 0);
console.log(
  JSON.stringify({ directory: host.directory, mark: host.settings.mark, username: site.username, uid }),
);
setInterval(() => {}, 60_000);

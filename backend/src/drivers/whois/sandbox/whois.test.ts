import { whoisContract } from '../../../../test/contracts/whois.ts';
import { SetClock } from '../../../base/clock.ts';
import { SandboxWhois } from './whois.ts';

const clock = new SetClock(Temporal.Instant.from('2027-01-15T12:00:00Z'));

whoisContract('sandbox', () => new SandboxWhois({ clock }), {
  registered: 'example.com',
  free: 'free-test.com',
  ipv4: '9.9.9.9',
  ipv6: '2620:fe::fe',
  asn: 64500,
  failing: 'failing-test.com',
  silent: null,
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, host, problems } from '../../../../../test/small-catalog.ts';

test('a pool is a network with its gateway inside, and shares no address with another', () => {
  const at = 'hosts.0.networks';
  const wrong: [string, unknown, string][] = [
    ['ipv4.cidr', '198.18.1.0/20', 'ipv4.cidr'],
    ['ipv4.cidr', '198.18.0.0/31', 'ipv4.cidr'],
    ['ipv4.cidr', '198.18.0.0', 'ipv4.cidr'],
    ['ipv4.cidr', '198.18.0.0/33', 'ipv4.cidr'],
    ['ipv4.cidr', '2001:db8::/32', 'ipv4.cidr'],
    ['ipv4.gateway', '198.18.16.1', 'ipv4.gateway'],
    ['ipv4.gateway', '198.18.0.0', 'ipv4.gateway'],
    ['ipv4.gateway', '198.18.15.255', 'ipv4.gateway'],
    ['ipv4.gateway', 'fe80::1', 'ipv4.gateway'],
    ['ipv4.name_template', '{address}.example.net', 'ipv4.name_template'],
    ['ipv6.cidr', '2001:db8:1001::/44', 'ipv6.cidr'],
    ['ipv6.cidr', '2001:db8::1::/44', 'ipv6.cidr'],
    ['ipv6.gateway', '2001:db8:1010::1', 'ipv6.gateway'],
    ['ipv6.gateway', '198.18.0.1', 'ipv6.gateway'],
    ['ipv6.prefix_length', 65, 'ipv6.prefix_length'],
    ['ipv6.cidr', '2001:db8:1000:0:1::/80', 'ipv6.prefix_length'],
  ];
  for (const [path, value, expected] of wrong) {
    assert.deepEqual(problems(changed(`${at}.${path}`, value)), [`${at}.${expected}`], `${path} = ${value}`);
  }
  assert.deepEqual(problems(changed(`${at}.ipv6.gateway`, '2001:db8:100f:ffff::1')), []);
  const sharing = changed('hosts.1', host('fra-xeon', '198.18.8.0/24', '2001:db8:1008::/48'));
  assert.deepEqual(problems(sharing), ['hosts.1.networks.ipv4.cidr', 'hosts.1.networks.ipv6.cidr']);
  assert.deepEqual(
    problems(changed('hosts.1', host('fra-xeon', '198.18.16.0/20', '2001:db8:1010::/44'))),
    [],
  );
});

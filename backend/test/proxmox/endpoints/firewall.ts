import {
  boolean,
  type Call,
  digest,
  type Endpoint,
  integer,
  node,
  nodeOf,
  onVm,
  text,
  vmid,
  vmidOf,
} from '../endpoint.ts';
import type { Firewall } from '../machine.ts';
import { wrongParameters } from '../refusal.ts';
import type { Parameters, Property } from '../schema.ts';

const policy: Property = { type: 'string', enum: ['ACCEPT', 'REJECT', 'DROP'], optional: true };
const loglevel: Property = {
  type: 'string',
  enum: ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug', 'nolog'],
  optional: true,
};
const name: Property = { type: 'string', pattern: /^[A-Za-z][A-Za-z0-9\-_]+$/, minLength: 2, maxLength: 64 };
const OPTIONS: Parameters = {
  ...{ enable: boolean, macfilter: boolean, dhcp: boolean, ndp: boolean, radv: boolean, ipfilter: boolean },
  ...{ policy_in: policy, policy_out: policy, log_level_in: loglevel, log_level_out: loglevel },
};
const RULE: Parameters = {
  type: { type: 'string', enum: ['in', 'out', 'forward', 'group'] },
  action: { type: 'string', pattern: /^[A-Za-z][A-Za-z0-9\-_]+$/, minLength: 2, maxLength: 20 },
  ...{
    macro: text,
    iface: text,
    source: text,
    dest: text,
    proto: text,
    sport: text,
    dport: text,
    comment: text,
  },
  ...{ enable: integer(0), pos: integer(0), log: loglevel, 'icmp-type': text, digest },
};

/** Of a rule that is there nothing has to be said again. */
const CHANGED: Parameters = Object.fromEntries(
  Object.entries(RULE).map(([name, property]) => [name, { ...property, optional: true }]),
);

const of = (call: Call): Firewall => call.cluster.machine(vmidOf(call), nodeOf(call)).firewall;
const BASE = '/nodes/{node}/qemu/{vmid}/firewall';

function endpoint(
  method: Endpoint['method'],
  path: string,
  parameters: Parameters,
  code: (firewall: Firewall, values: Call['values']) => unknown,
): Endpoint {
  const permissions = onVm(method === 'GET' ? 'VM.Audit' : 'VM.Config.Network');
  return {
    ...{
      method,
      path: `${BASE}/${path}`,
      permissions,
      proxied: true,
      parameters: { node, vmid, ...parameters },
    },
    code: (call) => code(of(call), call.values),
  };
}

function entries({ ipsets }: Firewall, values: Call['values']): { cidr: string; comment: string }[] {
  const set = ipsets.get(String(values.name));
  if (set === undefined) throw wrongParameters({ name: 'no such IPSet' });
  return set;
}

export const firewallEndpoints: readonly Endpoint[] = [
  endpoint('GET', 'options', {}, ({ options }) => options),
  endpoint('PUT', 'options', { ...OPTIONS, delete: text, digest }, (firewall, values) => {
    const { node: _node, vmid: _vmid, delete: _delete, digest: _digest, ...options } = values;
    Object.assign(firewall.options, options);
    return null;
  }),
  endpoint('GET', 'rules', {}, ({ rules }) => rules.map((rule, pos) => ({ ...rule, pos }))),
  endpoint('POST', 'rules', RULE, (firewall, values) => {
    // Wherever it is wanted, a new rule is the first one.
    const { node: _node, vmid: _vmid, pos: _pos, digest: _digest, ...rule } = values;
    if ((rule.sport ?? rule.dport) !== undefined && !/^(tcp|udp|sctp|\d+)$/.test(String(rule.proto)))
      throw wrongParameters({ proto: "missing property - 'dport' requires this property" });
    if (rule.proto === undefined && rule.dport !== undefined)
      throw wrongParameters({ dport: "missing property - 'proto'" });
    firewall.rules.unshift({ enable: 0, ...rule });
    return null;
  }),
  endpoint(
    'PUT',
    'rules/{pos}',
    { ...CHANGED, pos: { type: 'integer', minimum: 0 }, moveto: integer(0), delete: text },
    ({ rules }, values) => {
      const { node: _node, vmid: _vmid, pos, digest: _digest, moveto, delete: _delete, ...changes } = values;
      const rule = rules[Number(pos)];
      if (rule === undefined) throw wrongParameters({ pos: 'no rule at position' });
      if (moveto === undefined) rules[Number(pos)] = { ...rule, ...changes };
      else {
        rules.splice(Number(pos), 1);
        rules.splice(Number(moveto) - (Number(moveto) > Number(pos) ? 1 : 0), 0, rule);
      }
      return null;
    },
  ),
  endpoint('DELETE', 'rules/{pos}', { pos: { type: 'integer', minimum: 0 }, digest }, (firewall, values) => {
    if (firewall.rules[Number(values.pos)] === undefined)
      throw wrongParameters({ pos: 'no rule at position' });
    firewall.rules.splice(Number(values.pos), 1);
    return null;
  }),
  endpoint('GET', 'ipset', {}, ({ ipsets }) => [...ipsets.keys()].map((one) => ({ name: one, digest: '0' }))),
  endpoint('POST', 'ipset', { name, comment: text, digest, rename: text }, ({ ipsets }, values) => {
    if (ipsets.has(String(values.name)))
      throw wrongParameters({ name: `IPSet '${values.name}' already exists` });
    ipsets.set(String(values.name), []);
    return null;
  }),
  endpoint('GET', 'ipset/{name}', { name }, (firewall, values) => entries(firewall, values)),
  endpoint(
    'POST',
    'ipset/{name}',
    { name, cidr: { type: 'string', format: 'cidr' }, comment: text, nomatch: boolean },
    (firewall, values) => {
      const set = entries(firewall, values);
      const cidr = String(values.cidr);
      if (set.some((one) => one.cidr === cidr))
        throw wrongParameters({ cidr: `address '${cidr}' already exists` });
      set.push({ cidr, comment: String(values.comment ?? '') });
      return null;
    },
  ),
  endpoint(
    'DELETE',
    'ipset/{name}/{cidr}',
    { name, cidr: { type: 'string' }, digest },
    (firewall, values) => {
      const set = entries(firewall, values);
      const at = set.findIndex(({ cidr }) => cidr === values.cidr);
      if (at >= 0) set.splice(at, 1);
      return null;
    },
  ),
];

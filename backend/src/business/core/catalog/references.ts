import type { z } from 'zod';
import { type Network, overlap, readNetwork } from '../../../base/network.ts';
import type { Catalog } from './schema/schema.ts';

type Path = readonly (string | number)[];
type Report = (path: Path, message: string) => void;

/** Reports names that are taken twice, refer to nothing, or promise what the thing referred to cannot give. */
export function checkReferences(catalog: Catalog, ctx: z.RefinementCtx<Catalog>): void {
  const report: Report = (path, message) => ctx.addIssue({ code: 'custom', path: [...path], message });
  checkUnique(catalog, report);
  checkTlds(catalog, report);
  checkHosts(catalog, report);
  checkServerPackages(catalog, report);
  checkPools(catalog, report);
  checkWebHosts(catalog, report);
}

function checkWebHosts(catalog: Catalog, report: Report): void {
  const datacenters = new Set(catalog.datacenters.map((datacenter) => datacenter.name));
  for (const [index, { datacenter }] of catalog.web_hosts.entries()) {
    if (datacenters.has(datacenter)) continue;
    report(['web_hosts', index, 'datacenter'], `${datacenter} is not among the datacenters`);
  }
  once(catalog.web_hosts, ['web_hosts'], 'site_domain', report);
}

function checkUnique(catalog: Catalog, report: Report): void {
  once(catalog.tlds, ['tlds'], 'tld', report);
  for (const section of ['datacenters', 'hosts', 'operating_systems', 'iso_images', 'web_hosts'] as const) {
    once<{ name: string }>(catalog[section], [section], 'name', report);
  }
  const nodes = new Set<string>();
  for (const [h, host] of catalog.hosts.entries())
    once(host.nodes, ['hosts', h, 'nodes'], 'name', report, nodes);
  const uuids = new Set<string>();
  for (const section of ['server_packages', 'license_packages', 'webspace_packages'] as const) {
    const packages: readonly { id: number; uuid: string; name: string }[] = catalog[section];
    once(packages, [section], 'uuid', report, uuids);
    once(packages, [section], 'id', report);
    once(packages, [section], 'name', report);
  }
  const terms = catalog.duration_discounts.map((it) => ({ duration: `${it.duration} ${it.duration_unit}` }));
  once(terms, ['duration_discounts'], 'duration', report);
}

/** Reports the second and every further item whose `key` was seen before, here or by whoever shares `seen`. */
function once<Item>(
  items: readonly Item[],
  path: Path,
  key: keyof Item & string,
  report: Report,
  seen: Set<Item[keyof Item & string]> = new Set(),
): void {
  for (const [index, item] of items.entries()) {
    const value = item[key];
    if (seen.has(value)) report([...path, index, key], `${String(value)} is there twice`);
    seen.add(value);
  }
}

function checkTlds(catalog: Catalog, report: Report): void {
  const sold = new Set(catalog.tlds.filter((tld) => tld.sold).map((tld) => tld.tld));
  const offered = (name: string, path: Path) => {
    if (!sold.has(name)) report(path, `${name} is not among the TLDs that are sold`);
  };
  offered(catalog.default_tld, ['default_tld']);
  for (const [index, name] of catalog.suggested_tlds.entries()) {
    offered(name, ['suggested_tlds', index]);
    if (catalog.suggested_tlds.indexOf(name) < index)
      report(['suggested_tlds', index], `${name} is there twice`);
  }
  for (const [index, { profile }] of catalog.tlds.entries()) {
    if (profile === null || Object.hasOwn(catalog.tld_profiles, profile)) continue;
    report(['tlds', index, 'profile'], `${profile} is not among tld_profiles`);
  }
}

function checkHosts(catalog: Catalog, report: Report): void {
  const datacenters = new Set(catalog.datacenters.map((datacenter) => datacenter.name));
  for (const [index, host] of catalog.hosts.entries()) {
    if (!datacenters.has(host.datacenter)) {
      report(['hosts', index, 'datacenter'], `${host.datacenter} is not among the datacenters`);
    }
    for (const resource of ['cores', 'memory', 'disk'] as const) {
      const largest = Math.max(...host.nodes.map((node) => node.capacity[resource]));
      if (host.configuration[resource].max <= largest) continue;
      report(
        ['hosts', index, 'configuration', resource, 'max'],
        `is more than any node can hold (${largest})`,
      );
    }
  }
}

function checkServerPackages(catalog: Catalog, report: Report): void {
  const hosts = new Map(catalog.hosts.map((host) => [host.name, host]));
  for (const [index, item] of catalog.server_packages.entries()) {
    const host = hosts.get(item.host);
    if (host === undefined) {
      report(['server_packages', index, 'host'], `${item.host} is not among the hosts`);
      continue;
    }
    for (const resource of ['cores', 'memory', 'disk', 'uplink'] as const) {
      const { min, max } = host.configuration[resource];
      if (item[resource] >= min && item[resource] <= max) continue;
      report(
        ['server_packages', index, resource],
        `is outside of what ${host.name} offers (${min} to ${max})`,
      );
    }
  }
}

/** An address belongs to one server only, so no two pools may share any. */
function checkPools(catalog: Catalog, report: Report): void {
  for (const family of ['ipv4', 'ipv6'] as const) {
    const earlier: { host: string; network: Network }[] = [];
    for (const [index, { name, networks }] of catalog.hosts.entries()) {
      const network = readNetwork(networks[family].cidr);
      if (network === null) continue;
      const sharer = earlier.find((pool) => overlap(pool.network, network));
      if (sharer !== undefined) {
        report(
          ['hosts', index, 'networks', family, 'cidr'],
          `shares addresses with the pool of ${sharer.host}`,
        );
      }
      earlier.push({ host: name, network });
    }
  }
}

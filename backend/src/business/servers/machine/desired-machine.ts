import type { WantedMachine } from '../../../drivers/hypervisor/port.ts';
import type { Server } from '../server.ts';
import { uplinkOf } from '../traffic/uplink.ts';

/** What only the installation of a machine takes, in clear. */
export interface Installation {
  readonly sshKeys: readonly string[];
  readonly password: string | null;
  readonly userData: string | null;
}

/** A server's machine as it should be, of the server's generation. */
export function wantedMachine(server: Server, { sshKeys, password, userData }: Installation): WantedMachine {
  const given = server.addresses ?? [];
  return {
    serverId: server.id,
    host: server.host,
    node: server.node,
    generation: server.generation,
    hostname: server.hostname,
    image: server.os,
    username: server.username,
    password,
    sshKeys,
    userData,
    cores: server.cores,
    memory: server.memory,
    disk: server.disk,
    uplink: uplinkOf(server),
    ipv4: given.flatMap(({ family, address, gateway }) => (family === 4 ? [{ address, gateway }] : [])),
    ipv6: given.flatMap(({ family, address: network, gateway }) =>
      family === 6 ? [{ network, gateway }] : [],
    ),
    power: server.wanted_power,
  };
}

import { randomBytes } from 'node:crypto';
import { boolean, type Endpoint, node, nodeOf, onVm, vmid, vmidOf, vmTask } from '../endpoint.ts';

/** A port that waits for somebody to look at a machine's screen. */
export interface WaitingConsole {
  readonly vmid: number;
  readonly port: number;
  readonly ticket: string;
  readonly password: string;
}

/** PVE waits ten seconds for the WebSocket; each ticket opens one. */
export function consoleEndpoints(waiting: Set<WaitingConsole>): readonly Endpoint[] {
  return [
    {
      method: 'POST',
      path: '/nodes/{node}/qemu/{vmid}/vncproxy',
      permissions: onVm('VM.Console'),
      parameters: { node, vmid, websocket: boolean, 'generate-password': boolean },
      proxied: true,
      code(call) {
        call.cluster.machine(vmidOf(call), nodeOf(call));
        const port = 5900 + (waiting.size % 100);
        const ticket = `PVEVNC:${randomBytes(4).toString('hex').toUpperCase()}::${randomBytes(48).toString('base64')}`;
        const password = randomBytes(4).toString('hex');
        waiting.add({ vmid: vmidOf(call), port, ticket, password });
        const upid = vmTask(call, 'vncproxy', () => {});
        return {
          ...{ user: call.user, ticket, port: String(port), upid, cert: '-----BEGIN CERTIFICATE-----' },
          ...(call.values['generate-password'] === 1 ? { password } : {}),
        };
      },
    },
  ];
}

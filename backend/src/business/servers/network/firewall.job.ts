import { WantedFirewall } from '../../../base/firewall.ts';
import { emit, lockedAccount } from '../../../unit-of-work/unit-of-work.ts';
import { LASTING } from '../changes/change.ts';
import { changeJob } from '../changes/change-job.ts';
import { FIREWALL, firewallChanged } from './firewall.ts';

/** Has a server let through what its customer wants. */
export default changeJob({
  name: FIREWALL,
  goesOnIn: LASTING,
  wanted: WantedFirewall,
  command: ({ hypervisor }, { machine, wanted }) => hypervisor.ensureFirewall(machine, wanted),
  async done(tx, { uow }, { server, wanted, task }) {
    await firewallChanged(tx, server.id, wanted);
    emit(uow, lockedAccount(uow, task.accountId), {
      type: 'server.firewall_changed',
      resource: task.resource,
      body: { rules: wanted.rules.length, policy_in: wanted.policyIn, policy_out: wanted.policyOut },
    });
  },
});

import { readDomainName } from '../base/domain-name.ts';
import { CatalogStore } from '../business/core/catalog/versions.ts';
import { type Command, UsageError } from '../command.ts';
import { openInstallation } from '../installation.ts';
import { type OpenPorts, openPorts } from '../ports.ts';

type Rival = OpenPorts['rival'];
type Action = (
  rival: Rival,
  domain: string,
  code: string | undefined,
) => ReturnType<Rival['authcode' | 'unlock' | 'request']>;

const ACTIONS: Readonly<Record<string, Action>> = {
  register: (rival, domain) => rival.register(domain),
  authcode: (rival, domain) => rival.authcode(domain),
  request: (rival, domain, code) => {
    if (code === undefined) throw new UsageError('give the authcode after the domain');
    return rival.request(domain, code);
  },
  cancel: (rival, domain) => rival.cancel(domain),
  approve: (rival, domain) => rival.approve(domain),
  reject: (rival, domain) => rival.reject(domain),
  unlock: (rival, domain) => rival.unlock(domain),
};

export const command: Command = {
  name: 'sandbox registry',
  summary: 'Play the other registrar at the sandbox registry: register, hand over, ask for domains',
  usage: `${Object.keys(ACTIONS).join('|')} <domain> [<authcode>]`,
  flags: {},
  async run({ config, words, print }) {
    const [word, name, code] = words;
    const action = word === undefined || !Object.hasOwn(ACTIONS, word) ? undefined : ACTIONS[word];
    if (action === undefined || name === undefined || words.length > 3)
      throw new UsageError(`give one of ${Object.keys(ACTIONS).join(', ')}, and a domain`);
    const reading = readDomainName(name);
    if (!reading.ok) throw new UsageError(`${name} is no domain name`);
    const installation = await openInstallation(config, 'sandbox');
    try {
      const catalogs = new CatalogStore(installation.readPool);
      await catalogs.newest(installation.readPool);
      const ports = await openPorts(installation, catalogs);
      try {
        const reply = await action(ports.rival, reading.name.ascii, code);
        if (!reply.ok) throw new UsageError(`the registry answers ${reply.code}: ${reply.reason}`);
        print(reply.data ?? 'done');
      } finally {
        await ports.close();
      }
    } finally {
      await installation.close();
    }
  },
};

import { BackendUnavailable } from '../src/drivers/outcome.ts';
import type { QueryPorts } from '../src/drivers/ports.ts';
import { WhoisFailure } from '../src/drivers/whois/port.ts';

const away = async () => {
  throw new BackendUnavailable('nobody');
};

/** An Internet where nobody answers, for operations that ask nobody. */
export const NO_LOOKUPS: Pick<QueryPorts, 'delegation' | 'dns' | 'resolver' | 'whois'> = {
  delegation: { inspect: away, existing: away },
  dns: { zone: away, publication: away },
  resolver: { addresses: away, pointers: away, texts: away, nameservers: away },
  whois: {
    lookup: async () => {
      throw new WhoisFailure('nobody', 'nobody is asked here');
    },
  },
};

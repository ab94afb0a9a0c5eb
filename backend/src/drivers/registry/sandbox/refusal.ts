import type { RegistryRefusal } from '../port.ts';
import type { Failure } from './reply.ts';

/** What a failed command means to who gave it. */
export function refusalOf({ code, field }: Failure): RegistryRefusal {
  if (code === 2101 || code === 2102) return 'not_supported';
  switch (field) {
    case 'name':
      return code === 2303 ? 'not_found' : 'domain_not_available';
    case 'authcode':
      return 'authcode_invalid';
    case 'lock':
      return 'transfer_locked';
    case 'contact':
      return 'contact_invalid';
    case 'host':
      return code === 2305 ? 'state_conflict' : 'nameserver_invalid';
    case 'fee':
      return 'fee_differs';
    case 'period':
      return 'period_not_allowed';
    case 'credit':
      return 'billing';
    case 'expiry':
    case 'status':
    case 'transfer':
      return 'state_conflict';
    case 'registrar':
      return code === 2308 ? 'policy' : 'state_conflict';
    case 'ds':
    case 'message':
      return 'policy';
  }
}

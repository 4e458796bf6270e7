import { newId } from '../../infrastructure/ids.js';
import type { Address, ProjectAddress } from './address.js';
import { atAddress, platformWork, type WorkScope } from './work-scope.js';

export interface SystemWork {
  /** Absent for background work. */
  readonly command?: string;
  readonly requestId?: string;
  /** Absent: the whole platform. */
  readonly address?: Address | ProjectAddress;
}

/** The only scope without a caller: every grant, at the address or on the platform. */
export function systemScope({ command, requestId, address }: SystemWork = {}): WorkScope {
  const scope = platformWork(
    { type: 'system', id: null, name: command ?? 'Headwater' },
    {
      ip: null,
      userAgent: null,
      requestId: requestId ?? (command === undefined ? '' : newId()),
      interface: command === undefined ? 'system' : 'cli',
    },
  );
  return address === undefined ? scope : atAddress(scope, address);
}

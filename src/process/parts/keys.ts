import {
  ApiKeyCache,
  ApiKeyUses,
  KeyActivity,
  KeyUsage,
  type ApiKeyLookup,
} from '../../features/api-keys/index.js';
import type { Clock } from '../../infrastructure/clock.js';
import type { Coherence } from '../../infrastructure/coherence.js';
import type { UnitOfWorkFactory } from '../../persistence/work/unit-of-work.js';
import { KeyCredentials, type Services } from '../../procedures/index.js';

/** What reads keys. */
export const keyServices = (
  keys: ApiKeyLookup,
  { units, coherence, clock }: { units: UnitOfWorkFactory; coherence: Coherence; clock: Clock },
): Pick<Services, 'credentials' | 'keyUses' | 'keyUsage' | 'keyActivity'> => ({
  credentials: new KeyCredentials(new ApiKeyCache(keys, coherence), clock),
  keyUses: new ApiKeyUses(keys),
  keyUsage: new KeyUsage(units, clock),
  keyActivity: new KeyActivity({ units, coherence, clock }),
});

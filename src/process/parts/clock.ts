import type { Clock } from '../../infrastructure/clock.js';
import { DatabaseClock } from '../../infrastructure/database-clock.js';
import type { Logger } from '../../infrastructure/logger.js';
import type { Connections } from './connections.js';

/** Measured before anything is stamped or due; without a response, a later measurement corrects the clock. */
export async function openClock(
  { jobPool }: Pick<Connections, 'jobPool'>,
  { logger, processClock }: { readonly logger: Logger; readonly processClock?: Clock | undefined },
): Promise<DatabaseClock> {
  const clock = new DatabaseClock({ database: jobPool, logger, processClock });
  await clock.measure().catch(() => undefined);
  return clock;
}

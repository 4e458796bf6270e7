import { Repository } from '../../../persistence/repositories/repository.js';

/** The first slot that no other write of many entries uses. */
const useOneSlot = {
  name: 'use_one_count_slot',
  text: `SELECT set_config('headwater.count_slot', coalesce((SELECT slot FROM generate_series(0, 15) AS slot
    WHERE pg_try_advisory_xact_lock(hashtextextended('count-slot:' || $1 || ':' || slot, 0)) LIMIT 1),
    pg_backend_pid() & 15)::text, true)`,
};

export class CountSlotRepository extends Repository {
  /**
   * Writes of many entries change one slot of each count. Otherwise they would lock all slots until the commit. Does
   * not wait for it.
   */
  useOne(): void {
    this.defer(this.query(useOneSlot, [this.environmentId]));
  }
}

import { systemScope, type UnitOfWorkFactory } from '../../../../persistence/work/unit-of-work.js';
import { ActivityCounterRepository } from './activity-counter.repository.js';

const request = { scope: systemScope({ command: 'reports' }), isReadOnly: false, lock: 'none' } as const;

/** Adds all sealed audit records to the counts of reports; returns how many numbers of records. */
export async function countActivity(units: UnitOfWorkFactory): Promise<number> {
  for (let total = 0; ;) {
    const counted = await units.run(request, (work) => work.use(ActivityCounterRepository).count());
    total += counted;
    if (counted === 0) return total;
  }
}

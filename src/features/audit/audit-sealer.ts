import { systemScope, type UnitOfWorkFactory } from '../../persistence/work/unit-of-work.js';
import { AuditSealRepository } from './audit-seal.repository.js';

/** What sealing needs. */
export interface AuditSealerParts {
  readonly units: UnitOfWorkFactory;
  newId(): string;
  /** Waits; transactions that write are over in milliseconds. */
  pause(milliseconds: number): Promise<unknown>;
}

/** Tries to see the transactions end that may still bring records; then the next round tries again. */
const LOOKS = 40;
const PAUSE_MILLISECONDS = 25;

/** Seals audit records into chains of blocks (decisions 2.21), apart from those who write them. */
export class AuditSealer {
  constructor(private readonly parts: AuditSealerParts) {}

  /** Seals every record that was written before the call; answers how many. Another worker's round is left to it. */
  async seal(): Promise<number> {
    const mark = await this.#run((seals) => seals.mark());
    if (mark === undefined) return 0;
    for (let look = 1; !(await this.#run((seals) => seals.isComplete(mark))); look += 1) {
      if (look === LOOKS) return 0;
      await this.parts.pause(PAUSE_MILLISECONDS);
    }
    let total = 0;
    for (let reach = '0'; reach !== mark.number;) {
      const pass = await this.#run((seals) => seals.seal(reach, mark.number));
      if (pass === undefined) break;
      total += pass.records;
      reach = pass.reach;
    }
    return total;
  }

  /** Takes away what retention (400 days) no longer keeps; answers how many records went. */
  async prune(): Promise<number> {
    for (let total = 0; ;) {
      const pruned = await this.#run((seals) => seals.prune());
      total += pruned;
      if (pruned === 0) return total;
    }
  }

  #run<T>(work: (seals: AuditSealRepository) => Promise<T>): Promise<T> {
    const request = {
      scope: systemScope({ requestId: this.parts.newId() }),
      isReadOnly: false,
      lock: 'none',
    } as const;
    return this.parts.units.run(request, (unit) => work(unit.use(AuditSealRepository)));
  }
}

import { systemScope, type UnitOfWorkFactory } from '../../persistence/work/unit-of-work.js';
import { AuditSealRepository } from './audit-seal.repository.js';

export interface AuditSealerParts {
  readonly units: UnitOfWorkFactory;
  newId(): string;
  /** Writing transactions end within milliseconds. */
  pause(milliseconds: number): Promise<unknown>;
}

/** Waits for writers this many times, then leaves the records to the next round. */
const ATTEMPTS = 40;
const PAUSE_MILLISECONDS = 25;

/** Seals audit records into chains of blocks (decisions 2.21), outside the transactions that write them. */
export class AuditSealer {
  constructor(private readonly parts: AuditSealerParts) {}

  /** Seals every record written before the call; returns how many. Returns early if another worker is sealing. */
  async seal(): Promise<number> {
    const mark = await this.#run((seals) => seals.mark());
    if (mark === undefined) return 0;
    for (let attempt = 1; !(await this.#run((seals) => seals.isComplete(mark))); attempt += 1) {
      if (attempt === ATTEMPTS) return 0;
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

  /** Deletes records past retention (400 days); returns how many. */
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

import type { Clock } from '../../../infrastructure/clock.js';
import {
  addressOf,
  systemScope,
  type AddressRow,
  type RunPart,
  type UnitOfWorkFactory,
} from '../../../persistence/work/unit-of-work.js';
import { runAnalysis } from './analyze-environment.js';
import type { DetectorServices } from './detectors/detector.js';
import { DueAnalysisRepository } from './issues/analysis.repository.js';

interface WorkParts {
  readonly units: UnitOfWorkFactory;
  readonly clock: Clock;
  readonly services: DetectorServices;
  newId(): string;
  /** Receives failures; the analysis is repeated after an hour. */
  onError(error: unknown): void;
}

const EVERY_MS = 3_600_000;
/** Environments of one run. */
const LIST = 1000;

/** Analyzes environments whose last analysis started an hour ago. Any number of processes may run it. */
export class GovernanceWork {
  #isStopping = false;

  constructor(private readonly parts: WorkParts) {}

  /** Ends after the running step. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Returns how many environments were due. */
  async runDue(): Promise<number> {
    const { units, clock, onError } = this.parts;
    const before = new Date(clock().getTime() - EVERY_MS);
    const due = await units.run({ scope: systemScope(), isReadOnly: true, lock: 'none' }, (work) =>
      work.use(DueAnalysisRepository).list(before, LIST),
    );
    for (const row of due) {
      if (this.#isStopping) break;
      await this.#analyze(row).catch(onError);
    }
    return due.length;
  }

  async #analyze(row: AddressRow): Promise<void> {
    const scope = systemScope({ requestId: this.parts.newId(), address: addressOf(row) });
    const { units, services } = this.parts;
    const run: RunPart = (part) => units.run({ scope, isReadOnly: false, lock: 'none' }, part);
    await runAnalysis(run, {}, services);
  }
}

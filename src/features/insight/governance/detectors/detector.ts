import type { DetectorName } from '../../../../../contracts/insight/governance/governance.js';
import type { Catalog } from '../../../../content/catalog.js';
import type { MediaStorage } from '../../../../infrastructure/storage/media-storage.js';
import type { RunPart } from '../../../../persistence/work/unit-of-work.js';
import type { Finding } from '../findings/stored-issue.js';

export interface Scan {
  readonly catalog: Catalog;
  /** Where the detector stopped, if it takes turns. */
  readonly place: string | null;
  /** What changed since then is looked at; null is everything. */
  readonly since: Date | null;
  readonly until: Date;
  /** Subjects of issues that are not resolved, which are looked at whatever changed. */
  readonly known: readonly string[];
  /** Findings at most: known subjects first, then the latest. */
  readonly limit: number;
}

export interface Found {
  readonly findings: readonly Finding[];
  /** Of a detector that takes turns: where the next scan goes on. */
  readonly place?: string;
}

export interface DetectorServices {
  readonly storage: MediaStorage;
}

export interface Detector {
  readonly name: DetectorName;
  /**
   * `condition`: a known subject that is not found again no longer has the issue. `activity`: found once when it happens;
   * the issue ends after {@link QUIET_DAYS}.
   */
  readonly kind: 'condition' | 'activity';
  /** Whether it looks at some subjects at a time. */
  readonly takesTurns?: true;
  /** Undefined if it could not look. Calls to other systems are outside of its transactions. */
  find(run: RunPart, scan: Scan, services: DetectorServices): Promise<Found | undefined>;
}

/** An issue about activity ends this long after its last evidence. */
export const QUIET_DAYS = 30;

const DAY_MS = 86_400_000;

export const daysBefore = (at: Date, days: number): Date => new Date(at.getTime() - days * DAY_MS);

import type { Actor } from '../../../../../contracts/actor.js';
import type {
  DetectorName,
  IssueSeverity,
  IssueStatus,
  SubjectType,
} from '../../../../../contracts/insight/governance/governance.js';

/** What a detector found about one subject. */
export interface Finding {
  readonly subjectType: SubjectType;
  readonly subjectId: string;
  readonly subjectName: string;
  readonly severity: IssueSeverity;
  readonly message: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  /** Equal for the same evidence. */
  readonly fingerprint: string;
  readonly count: number;
  /** Time of the evidence; that of the analysis for a condition that holds. */
  readonly seenAt: Date;
}

export interface StoredIssue extends Omit<Finding, 'seenAt'> {
  readonly id: string;
  readonly detector: DetectorName;
  readonly status: IssueStatus;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  readonly resolvedAt: Date | null;
  readonly resolvedBy: Actor | null;
  readonly note: string | null;
}

import type { DetectorName } from '../../../../contracts/resources/governance.js';
import { daysBefore, QUIET_DAYS, type Detector } from '../detectors/detector.js';
import type { Finding, StoredIssue } from '../findings/stored-issue.js';

/** What the detectors that ran have found. */
export interface Detected {
  readonly detector: Pick<Detector, 'name' | 'kind'>;
  readonly findings: readonly Finding[];
}

export interface Settlement {
  readonly opened: readonly StoredIssue[];
  /** Resolved or acknowledged issues with new evidence, before and after. */
  readonly reopened: readonly IssueChange[];
  readonly resolved: readonly IssueChange[];
  /** The others that were found again. */
  readonly seen: readonly StoredIssue[];
}

interface IssueChange {
  readonly before: StoredIssue;
  readonly after: StoredIssue;
}

interface SettleOptions {
  readonly now: Date;
  newId(): string;
}

const openIssue = (id: string, detector: DetectorName, { seenAt, ...found }: Finding): StoredIssue => ({
  id,
  detector,
  ...found,
  status: 'open',
  firstSeenAt: seenAt,
  lastSeenAt: seenAt,
  resolvedAt: null,
  resolvedBy: null,
  note: null,
});

/** Activity that was looked at before, or is too old to open an issue. */
const isPast = (finding: Finding, known: StoredIssue | undefined, now: Date): boolean =>
  finding.seenAt < daysBefore(now, QUIET_DAYS) || (known !== undefined && finding.seenAt <= known.lastSeenAt);

const isOver = (kind: Detector['kind'], { status, lastSeenAt }: StoredIssue, now: Date): boolean =>
  status !== 'resolved' && (kind === 'condition' || lastSeenAt < daysBefore(now, QUIET_DAYS));

/** Decides what the findings mean for the known issues: at most one per detector and subject. */
export function settleIssues(
  known: readonly StoredIssue[],
  found: readonly Detected[],
  { now, newId }: SettleOptions,
): Settlement {
  const opened: StoredIssue[] = [];
  const reopened: IssueChange[] = [];
  const resolved: IssueChange[] = [];
  const seen: StoredIssue[] = [];
  for (const { detector, findings } of found) {
    const { name, kind } = detector;
    const left = new Map(
      known.filter((issue) => issue.detector === name).map((issue) => [issue.subjectId, issue]),
    );
    for (const finding of findings) {
      const before = left.get(finding.subjectId);
      if (kind === 'activity' && isPast(finding, before, now)) continue;
      left.delete(finding.subjectId);
      if (before === undefined) {
        opened.push(openIssue(newId(), name, finding));
        continue;
      }
      const again = openIssue(before.id, name, finding);
      const after = { ...again, firstSeenAt: before.firstSeenAt };
      const { status, fingerprint, resolvedAt, resolvedBy, note } = before;
      const isNew =
        status === 'resolved' || (status === 'acknowledged' && fingerprint !== finding.fingerprint);
      if (isNew) reopened.push({ before, after });
      else seen.push({ ...after, status, resolvedAt, resolvedBy, note });
    }
    for (const before of left.values())
      if (isOver(kind, before, now))
        resolved.push({ before, after: { ...before, status: 'resolved', resolvedAt: now } });
  }
  return { opened, reopened, resolved, seen };
}

import type { DetectorName } from '../../../../../contracts/insight/governance/governance.js';
import { daysBefore, QUIET_DAYS, type Detector } from '../detectors/detector.js';
import type { Finding, StoredIssue } from '../findings/stored-issue.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { AnalysisRepository, type StoredAnalysis } from './analysis.repository.js';
import { IssueRepository } from './issue.repository.js';

/** What the detectors that ran have found. */
export interface Detected {
  readonly detector: Pick<Detector, 'name' | 'kind'>;
  readonly findings: readonly Finding[];
}

interface Settlement {
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

/** As long as audit records. */
const KEPT_DAYS = 400;

interface Findings {
  /** Of the analysis. */
  readonly id: string;
  readonly found: readonly Detected[];
  readonly scans: StoredAnalysis['scans'];
}

function emitOpened(work: UnitOfWork, issue: StoredIssue, isReopened: boolean): void {
  const { id, detector, severity, subjectType, subjectId, subjectName, message, count, evidence } = issue;
  const subject = { type: subjectType, id: subjectId, name: subjectName };
  work.emit({
    type: 'governance.issue_opened',
    data: { issueId: id, detector, severity, subject, message, count, evidence, isReopened },
  });
}

function noteAll(work: UnitOfWork, { opened, reopened, resolved }: Settlement): void {
  const issues = work.use(IssueRepository);
  for (const after of opened) {
    issues.note('open', { before: null, after, isAlong: true });
    emitOpened(work, after, false);
  }
  for (const change of reopened) {
    issues.note('reopen', { ...change, isAlong: true });
    emitOpened(work, change.after, true);
  }
  for (const change of resolved) issues.note('resolve', { ...change, isAlong: true });
}

/** Opens, updates and resolves issues, unless another analysis has replaced this one. */
export async function applyFindings(work: UnitOfWork, { id, found, scans }: Findings): Promise<void> {
  const analyses = work.use(AnalysisRepository);
  if (!(await analyses.complete(id, scans))) return;
  const issues = work.use(IssueRepository);
  const detectors = found.map(({ detector }) => detector.name);
  const subjects = found.flatMap(({ findings }) => findings.map(({ subjectId }) => subjectId));
  const known = await issues.lockAll(detectors, subjects);
  const settled = settleIssues(known, found, { now: work.now, newId: () => work.newId() });
  await issues.insert(settled.opened);
  const changed = [...settled.reopened, ...settled.resolved].map(({ after }) => after);
  await issues.update([...changed, ...settled.seen]);
  await issues.prune(daysBefore(work.now, KEPT_DAYS));
  // The hourly analysis leaves a record only where it changed something.
  const isAsked = work.scope.actor.type !== 'system';
  if (isAsked || settled.opened.length + changed.length > 0)
    analyses.noteRun({ id, name: work.scope.environmentSlug ?? '', detectors });
  noteAll(work, settled);
}

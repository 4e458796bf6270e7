import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { AnalysisRepository, type StoredAnalysis } from './issues/analysis.repository.js';
import { daysBefore } from './detectors/detector.js';
import { IssueRepository } from './issues/issue.repository.js';
import { settleIssues, type Detected, type Settlement } from './issues/settle-issues.js';
import type { StoredIssue } from './findings/stored-issue.js';

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

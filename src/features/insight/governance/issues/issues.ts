import type {
  GovernanceAnalysis,
  GovernanceIssue,
} from '../../../../../contracts/insight/governance/governance.js';
import { type StoredAnalysis, AnalysisRepository } from './analysis.repository.js';
import type { StoredIssue } from '../findings/stored-issue.js';
import { type OpenCount, IssueRepository } from './issue.repository.js';
import type { governance } from '../../../../../contracts/insight/governance/governance.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { listEnvelope, type PageMeta } from '../../../../../contracts/envelopes.js';
import { AppError } from '../../../../../contracts/errors.js';
import { refusal } from '../../../../access/authorize.js';

const presentIssue = (issue: StoredIssue): GovernanceIssue => ({
  id: issue.id,
  detector: issue.detector,
  severity: issue.severity,
  status: issue.status,
  subject: { type: issue.subjectType, id: issue.subjectId, name: issue.subjectName },
  message: issue.message,
  evidence: { ...issue.evidence },
  count: issue.count,
  firstSeenAt: issue.firstSeenAt.toISOString(),
  lastSeenAt: issue.lastSeenAt.toISOString(),
  resolvedBy: issue.resolvedBy,
  resolvedAt: issue.resolvedAt?.toISOString() ?? null,
  note: issue.note,
});

function sumBy(counts: readonly OpenCount[], key: 'severity' | 'detector'): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const count of counts) sums[count[key]] = (sums[count[key]] ?? 0) + count.issues;
  return sums;
}

export const presentAnalysis = (
  { id, status, startedAt, completedAt }: StoredAnalysis,
  counts: readonly OpenCount[],
): GovernanceAnalysis => ({
  analysisId: id,
  status,
  startedAt: startedAt.toISOString(),
  completedAt: completedAt?.toISOString() ?? null,
  summary: {
    open: counts.reduce((sum, { issues }) => sum + issues, 0),
    bySeverity: sumBy(counts, 'severity'),
    byDetector: sumBy(counts, 'detector'),
  },
});

export async function getAnalysis(
  work: UnitOfWork,
  _input: InputOf<typeof governance.lastAnalysis>,
): Promise<{ data: GovernanceAnalysis | null }> {
  const last = await work.use(AnalysisRepository).last();
  if (last === undefined) return { data: null };
  return { data: presentAnalysis(last, await work.use(IssueRepository).countOpen()) };
}

export async function listIssues(
  work: UnitOfWork,
  input: InputOf<typeof governance.listIssues>,
): Promise<{ data: GovernanceIssue[]; meta: PageMeta }> {
  const { items, total } = await work.use(IssueRepository).list(input);
  return listEnvelope({ items: items.map(presentIssue), total }, input);
}

/**
 * Acknowledges an issue.
 * @throws AppError 404 `governance_issue_not_found`; 409 `governance_issue_resolved`
 */
export async function resolveIssue(
  work: UnitOfWork,
  { id, note }: InputOf<typeof governance.resolve>,
): Promise<{ data: GovernanceIssue }> {
  const issues = work.use(IssueRepository);
  const found = await issues.lock(id);
  if (found === undefined) throw new AppError('governance_issue_not_found');
  const { isReached, ...before } = found;
  if (!isReached) throw refusal(work, 'governance.update', {});
  if (before.status === 'resolved') throw new AppError('governance_issue_resolved');
  const resolvedBy = { ...work.scope.actor };
  const kept = note === undefined ? before.note : note;
  const after = { ...before, status: 'acknowledged', resolvedBy, resolvedAt: work.now, note: kept } as const;
  await issues.update([after]);
  issues.note('acknowledge', { before, after, isAlong: false });
  return { data: presentIssue(after) };
}

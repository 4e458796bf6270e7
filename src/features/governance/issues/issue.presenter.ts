import type { GovernanceAnalysis, GovernanceIssue } from '../../../../contracts/resources/governance.js';
import type { StoredAnalysis } from './analysis.repository.js';
import type { StoredIssue } from '../findings/stored-issue.js';
import type { OpenCount } from './issue.repository.js';

export const presentIssue = (issue: StoredIssue): GovernanceIssue => ({
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

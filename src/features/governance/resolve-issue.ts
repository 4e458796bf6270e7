import { AppError } from '../../../contracts/errors.js';
import type { governance } from '../../../contracts/management/governance.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { GovernanceIssue } from '../../../contracts/resources/governance.js';
import { refusal } from '../../access/authorize.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { IssueRepository } from './issues/issue.repository.js';
import { presentIssue } from './issues/issue.presenter.js';

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

import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { governance } from '../../../contracts/management/governance.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { GovernanceIssue } from '../../../contracts/resources/governance.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { IssueRepository } from './issues/issue.repository.js';
import { presentIssue } from './issues/issue.presenter.js';

export async function listIssues(
  work: UnitOfWork,
  input: InputOf<typeof governance.listIssues>,
): Promise<{ data: GovernanceIssue[]; meta: PageMeta }> {
  const { items, total } = await work.use(IssueRepository).list(input);
  return listEnvelope({ items: items.map(presentIssue), total }, input);
}

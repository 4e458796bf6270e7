import type { governance } from '../../../contracts/management/governance.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { GovernanceAnalysis } from '../../../contracts/resources/governance.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { AnalysisRepository } from './issues/analysis.repository.js';
import { IssueRepository } from './issues/issue.repository.js';
import { presentAnalysis } from './issues/issue.presenter.js';

export async function getAnalysis(
  work: UnitOfWork,
  _input: InputOf<typeof governance.lastAnalysis>,
): Promise<{ data: GovernanceAnalysis | null }> {
  const last = await work.use(AnalysisRepository).last();
  if (last === undefined) return { data: null };
  return { data: presentAnalysis(last, await work.use(IssueRepository).countOpen()) };
}

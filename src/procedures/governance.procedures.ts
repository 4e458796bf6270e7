import { governance as contracts } from '../../contracts/management/governance.contract.js';
import { analyzeEnvironment } from '../features/governance/analyze-environment.js';
import { getAnalysis } from '../features/governance/get-analysis.js';
import { listIssues } from '../features/governance/list-issues.js';
import { resolveIssue } from '../features/governance/resolve-issue.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';
import type { Services } from './services.js';

const services = ({ media }: Services) => ({ storage: media.storage });

export const governance = bind(contracts, {
  lastAnalysis: query(getAnalysis),
  analyze: mutation(analyzeEnvironment, { inParts: true, with: services }),
  listIssues: query(listIssues),
  resolve: mutation(resolveIssue, { lock: 'none' }),
});

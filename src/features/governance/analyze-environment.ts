import { invalidInput } from '../../../contracts/errors.js';
import type { governance } from '../../../contracts/management/governance.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { DetectorName, GovernanceAnalysis } from '../../../contracts/resources/governance.js';
import { limits } from '../../../contracts/limits.js';
import { authorize } from '../../access/authorize.js';
import type { RunPart, UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { AnalysisRepository, type StoredAnalysis } from './analysis.repository.js';
import { applyFindings } from './apply-findings.js';
import { daysBefore, type Detector } from './detectors/detector.js';
import { detectors as allDetectors } from './detectors/index.js';
import { IssueRepository } from './issues/issue.repository.js';
import { presentAnalysis } from './issues/issue.presenter.js';
import type { Found } from './issues/settle-issues.js';

/** Transactions may commit this long after the time of their rows. */
const OVERLAP_DAYS = 1 / 144;
/** Of the statements of one detector. */
const SCAN_SECONDS = 120;

type AnalyzeInput = Omit<InputOf<typeof governance.analyze>, 'projectSlug'>;

interface Range {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

function rangeOf({ from, to }: AnalyzeInput): Range {
  const range = {
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
  if (range.from !== undefined && range.to !== undefined && range.from >= range.to)
    throw invalidInput({ path: ['to'], code: 'range_empty', message: 'The range must end after it starts.' });
  return range;
}

/** Undefined while another analysis is running. */
async function start(run: RunPart): Promise<StoredAnalysis | undefined> {
  return run(async (work) => {
    const analyses = work.use(AnalysisRepository);
    return (await analyses.start(work.newId())) ? analyses.last() : undefined;
  });
}

interface Plan {
  readonly analysis: StoredAnalysis;
  readonly range: Range;
}

function sinceOf({ analysis, range }: Plan, name: DetectorName): Date | null {
  if (range.from !== undefined) return range.from;
  const scanned = analysis.scans[name];
  return scanned === undefined ? null : daysBefore(new Date(scanned), OVERLAP_DAYS);
}

/** One step: one detector in its own transaction, which changes nothing. */
async function scanWith(work: UnitOfWork, detector: Detector, plan: Plan): Promise<Found> {
  const issues = work.use(IssueRepository);
  await issues.allowScan(SCAN_SECONDS);
  const { to } = plan.range;
  const known = await issues.subjectsOf(detector.name);
  const findings = await detector.find(work, {
    catalog: await work.use(CatalogRepository).current(),
    since: sinceOf(plan, detector.name),
    until: to !== undefined && to < work.now ? to : work.now,
    known,
    limit: limits.governanceIssuesPerDetector,
  });
  return { detector, findings };
}

/** Undefined if another analysis has replaced this one. */
async function scanAll(
  run: RunPart,
  detectors: readonly Detector[],
  plan: Plan,
): Promise<Found[] | undefined> {
  const found: Found[] = [];
  for (const detector of detectors) {
    if (!(await run((work) => work.use(AnalysisRepository).step(plan.analysis.id)))) return undefined;
    found.push(await run((work) => scanWith(work, detector, plan)));
  }
  return found;
}

/** What the next analysis need not look at: detectors that reached their limit have not seen everything. */
function scansOf(found: readonly Found[], { analysis, range }: Plan): StoredAnalysis['scans'] {
  if (range.from !== undefined || range.to !== undefined) return {};
  const whole = found.filter(({ findings }) => findings.length < limits.governanceIssuesPerDetector);
  return Object.fromEntries(whole.map(({ detector }) => [detector.name, analysis.startedAt.toISOString()]));
}

/**
 * Each detector scans in its own transaction, and one transaction applies what they found: a killed analysis has changed
 * nothing and is repeated. Returns the other one if one is running.
 */
export async function runAnalysis(run: RunPart, input: AnalyzeInput): Promise<void> {
  const range = rangeOf(input);
  const detectors = allDetectors.filter(({ name }) => input.detectors?.includes(name) ?? true);
  const analysis = await start(run);
  if (analysis === undefined) return;
  const plan = { analysis, range };
  try {
    const found = await scanAll(run, detectors, plan);
    if (found === undefined) return;
    await run((work) => applyFindings(work, { id: analysis.id, found, scans: scansOf(found, plan) }));
  } catch (error) {
    await run((work) => work.use(AnalysisRepository).fail(analysis.id));
    throw error;
  }
}

export async function analyzeEnvironment(
  run: RunPart,
  input: InputOf<typeof governance.analyze>,
): Promise<{ data: GovernanceAnalysis }> {
  await run((work) => {
    authorize(work, 'governance.update', {});
    return Promise.resolve();
  });
  await runAnalysis(run, input);
  return run(async (work) => {
    const last = await work.use(AnalysisRepository).last();
    if (last === undefined) throw new Error('the analysis has left no row');
    return { data: presentAnalysis(last, await work.use(IssueRepository).countOpen()) };
  });
}

import { invalidInput } from '../../../../contracts/errors.js';
import type { governance } from '../../../../contracts/insight/governance/governance.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { GovernanceAnalysis } from '../../../../contracts/insight/governance/governance.js';
import { limits } from '../../../../contracts/limits.js';
import { authorize } from '../../../access/authorize.js';
import {
  addressOf,
  systemScope,
  type RunPart,
  type AddressRow,
  type UnitOfWorkFactory,
} from '../../../persistence/work/unit-of-work.js';
import type { Clock } from '../../../infrastructure/clock.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import {
  AnalysisRepository,
  DueAnalysisRepository,
  type StoredAnalysis,
} from './issues/analysis.repository.js';
import { applyFindings } from './issues/settle-issues.js';
import { daysBefore, type Detector, type DetectorServices, type Found } from './detectors/detector.js';
import { detectors as allDetectors } from './detectors/index.js';
import { IssueRepository } from './issues/issue.repository.js';
import { presentAnalysis } from './issues/issues.js';

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
  readonly services: DetectorServices;
}

function sinceOf({ analysis, range }: Plan, { name, takesTurns }: Detector): Date | null {
  if (range.from !== undefined) return range.from;
  const scanned = analysis.scans[name];
  return scanned === undefined || takesTurns === true ? null : daysBefore(new Date(scanned), OVERLAP_DAYS);
}

/** A detector with what it found. */
interface Step extends Found {
  readonly detector: Detector;
}

/** One step, which changes nothing; undefined if the detector could not look. */
async function scanWith(run: RunPart, detector: Detector, plan: Plan): Promise<Step | undefined> {
  const { range, analysis, services } = plan;
  const scan = await run(async (work) => ({
    catalog: await work.use(CatalogRepository).current(),
    since: sinceOf(plan, detector),
    until: range.to !== undefined && range.to < work.now ? range.to : work.now,
    place: analysis.scans[detector.name] ?? null,
    known: await work.use(IssueRepository).subjectsOf(detector.name),
    limit: limits.governanceIssuesPerDetector,
  }));
  const runLong: RunPart = (part) =>
    run(async (work) => {
      await work.use(IssueRepository).allowScan(SCAN_SECONDS);
      return part(work);
    });
  const found = await detector.find(runLong, scan, services);
  return found && { detector, ...found };
}

/** Undefined if another analysis has replaced this one. */
async function scanAll(
  run: RunPart,
  detectors: readonly Detector[],
  plan: Plan,
): Promise<Step[] | undefined> {
  const steps: Step[] = [];
  for (const detector of detectors) {
    if (!(await run((work) => work.use(AnalysisRepository).step(plan.analysis.id)))) return undefined;
    const step = await scanWith(run, detector, plan);
    if (step !== undefined) steps.push(step);
  }
  return steps;
}

/** Where the next analysis starts: detectors that reached their limit have not seen everything. */
function scansOf(steps: readonly Step[], { analysis, range }: Plan): StoredAnalysis['scans'] {
  const isWhole = range.from === undefined && range.to === undefined;
  const end = analysis.startedAt.toISOString();
  return Object.fromEntries(
    steps.flatMap(({ detector, findings, place }) => {
      if (place !== undefined) return [[detector.name, place]];
      return isWhole && findings.length < limits.governanceIssuesPerDetector ? [[detector.name, end]] : [];
    }),
  );
}

/**
 * Each detector scans in its own transaction, and one transaction applies what they found: a killed analysis has changed
 * nothing and is repeated. Returns the other one if one is running.
 */
async function runAnalysis(run: RunPart, input: AnalyzeInput, services: DetectorServices): Promise<void> {
  const range = rangeOf(input);
  const detectors = allDetectors.filter(({ name }) => input.detectors?.includes(name) ?? true);
  const analysis = await start(run);
  if (analysis === undefined) return;
  const plan = { analysis, range, services };
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
  services: DetectorServices,
): Promise<{ data: GovernanceAnalysis }> {
  await run((work) => {
    authorize(work, 'governance.update', {});
    return Promise.resolve();
  });
  await runAnalysis(run, input, services);
  return run(async (work) => {
    const last = await work.use(AnalysisRepository).last();
    if (last === undefined) throw new Error('the analysis has left no row');
    return { data: presentAnalysis(last, await work.use(IssueRepository).countOpen()) };
  });
}

interface WorkParts {
  readonly units: UnitOfWorkFactory;
  readonly clock: Clock;
  readonly services: DetectorServices;
  newId(): string;
  /** Receives failures; the analysis is repeated after an hour. */
  onError(error: unknown): void;
}

const EVERY_MS = 3_600_000;
/** Environments of one run. */
const LIST = 1000;

/** Analyzes environments whose last analysis started an hour ago. Any number of processes may run it. */
export class GovernanceWork {
  #isStopping = false;

  constructor(private readonly parts: WorkParts) {}

  /** Ends after the running step. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Returns how many environments were due. */
  async runDue(): Promise<number> {
    const { units, clock, onError } = this.parts;
    const before = new Date(clock().getTime() - EVERY_MS);
    const due = await units.run({ scope: systemScope(), isReadOnly: true, lock: 'none' }, (work) =>
      work.use(DueAnalysisRepository).list(before, LIST),
    );
    for (const row of due) {
      if (this.#isStopping) break;
      await this.#analyze(row).catch(onError);
    }
    return due.length;
  }

  async #analyze(row: AddressRow): Promise<void> {
    const scope = systemScope({ requestId: this.parts.newId(), address: addressOf(row) });
    const { units, services } = this.parts;
    const run: RunPart = (part) => units.run({ scope, isReadOnly: false, lock: 'none' }, part);
    await runAnalysis(run, {}, services);
  }
}

import type { Target } from './check.js';
import { load, type Load } from './load.js';
import type { ProcessorTime } from './processor-time.js';
import { fill, type Scenario, type Values } from './scenarios.js';

/** A load run with the CPU time of the server and of its database connections. */
interface Run extends Load {
  readonly cpuMsPerRequest: number;
  readonly databaseMsPerRequest: number;
}

/** Medians of all rounds; `ratio` is the median of the rounds' ratios, `range` the least and the largest. */
export interface Compared {
  readonly floor: Run;
  readonly ratio: number;
  readonly range: readonly [number, number];
}

export interface Result extends Compared {
  readonly scenario: Scenario;
  readonly own: Run;
  /** Compared with the floor whose JSON is built in SQL. */
  readonly text: Compared | undefined;
}

export interface Targets {
  readonly own: Target;
  readonly floor: Target;
  readonly text: Target | undefined;
}

/** Duration, the seed's values for placeholders, and a clock for a process. */
export interface MeasureOptions {
  processorTime(pid: number): ProcessorTime;
  readonly rounds: number;
  readonly seconds: number;
  readonly values: Values;
}

const CONNECTIONS = 50;

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function medianRun(runs: readonly Run[]): Run {
  const of = (key: keyof Run): number => median(runs.map((run) => run[key]));
  return {
    requestsPerSecond: of('requestsPerSecond'),
    requests: of('requests'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    bytesPerAnswer: of('bytesPerAnswer'),
    failures: Math.max(...runs.map(({ failures }) => failures)),
    cpuMsPerRequest: of('cpuMsPerRequest'),
    databaseMsPerRequest: of('databaseMsPerRequest'),
  };
}

type RunOptions = Pick<MeasureOptions, 'processorTime' | 'seconds'>;

async function runOnce(
  scenario: Scenario,
  target: Target,
  { processorTime, seconds }: RunOptions,
): Promise<Run> {
  const time = processorTime(target.pid);
  await time.start();
  const result = await load(target.url, scenario, { seconds, connections: CONNECTIONS });
  if (result.failures > 0) throw new Error(`${scenario.name}, ${target.name}: ${result.failures} failures`);
  const { serverMs, databaseMs } = await time.stop();
  const { requests } = result;
  return { ...result, cpuMsPerRequest: serverMs / requests, databaseMsPerRequest: databaseMs / requests };
}

function compared(own: readonly Run[], floor: readonly Run[]): Compared {
  const ratios = own.map((run, index) => run.requestsPerSecond / (floor[index]?.requestsPerSecond ?? NaN));
  return {
    floor: medianRun(floor),
    ratio: median(ratios),
    range: [Math.min(...ratios), Math.max(...ratios)],
  };
}

/** Measures server and floors in turn, alternating which is first. */
export async function measure(
  scenario: Scenario,
  { own, floor, text }: Targets,
  options: MeasureOptions,
): Promise<Result> {
  const { rounds, values } = options;
  const targets = [own, floor, ...(text === undefined ? [] : [text])];
  const runs = new Map<Target, Run[]>(targets.map((target) => [target, []]));
  for (const target of targets) await runOnce(scenario, target, { ...options, seconds: 1 });
  for (let round = 0; round < rounds; round += 1) {
    for (const target of round % 2 === 0 ? targets : targets.toReversed()) {
      runs.get(target)?.push(await runOnce(scenario, target, options));
    }
  }
  const [ofOwn = [], ofFloor = [], ofText] = [...runs.values()];
  return {
    scenario: fill(scenario, values),
    own: medianRun(ofOwn),
    ...compared(ofOwn, ofFloor),
    text: ofText && compared(ofOwn, ofText),
  };
}

import process from 'node:process';
import { parseArgs } from 'node:util';
import { assetMeasures, seedAssets } from './assets.js';
import { editorialLocales, seedEditorial } from './editorial-content.js';
import { editorialMeasures } from './editorial.js';
import { addEnvironments, branchOff } from './branch.js';
import { scratchDatabase } from './databases.js';
import { measures, type Measure } from './measures.js';
import { indexMeaning, meaningMeasures, startNumberedEmbeddings } from './meaning.js';
import { median, percentile } from './median.js';
import { moveBranch } from './move.js';
import { auditMeasures, healthMeasures } from './reports.js';
import { AUDIT_DAYS, seedAudit, seedChanged } from './reports-content.js';
import { indexPages, searchMeasures } from './search.js';
import { openStage, type Stage, type StageContent } from './stage.js';

const { values: flags } = parseArgs({
  options: {
    small: { type: 'string', default: '1000' },
    large: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '40' },
    /** Of the times, instead of the median. */
    percentile: { type: 'string' },
    /** Measures whose name contains this. */
    only: { type: 'string', default: '' },
    /** Lists of assets instead of pages. */
    assets: { type: 'boolean', default: false },
    /** Workflow states, translations and the calendar of entries in ten locales instead of pages. */
    editorial: { type: 'boolean', default: false },
    /** Reports over so many audit records instead of pages. */
    audit: { type: 'string' },
    /** The report of content health instead of pages; three tenths of them have newer drafts. */
    health: { type: 'boolean', default: false },
    /** Searches of pages, with facets, and the hand-written SQL of the same. */
    search: { type: 'boolean', default: false },
    /** Searches by meaning, with vectors of so many dimensions. */
    meaning: { type: 'string' },
    /** Finally moves a branch of ten thousand pages. */
    move: { type: 'boolean', default: false },
    /** Finally branches the larger project off, promotes changed pages and deletes the branch. */
    branch: { type: 'boolean', default: false },
    /** Compares a project of one environment with one of so many, each with `small` pages. */
    environments: { type: 'string' },
  },
});

/** Uncounted rounds that warm up plans, caches and compiled code. */
const WARM_UP = 6;

async function timeRun(measure: Measure, stage: Stage, round: number): Promise<number> {
  const prepared = (await measure.prepare?.(stage, round)) ?? '';
  const startedAt = performance.now();
  await measure.run(stage, round, prepared);
  return (performance.now() - startedAt) / (measure.per?.(stage) ?? 1);
}

/** Milliseconds per measure and stage: their median, or a percentile. They take turns, so that other load affects all alike. */
async function compare(
  chosen: readonly Measure[],
  stages: readonly Stage[],
): Promise<Map<Measure, number[]>> {
  const rounds = Number(flags.rounds);
  const times = new Map(chosen.map((measure) => [measure, stages.map((): number[] => [])]));
  for (let round = 0; round < rounds + WARM_UP; round += 1)
    for (const [measure, ofStages] of times) {
      if (round % (measure.every ?? 1) !== 0) continue;
      const turns = [...stages.entries()];
      for (const [index, stage] of round % 2 === 0 ? turns : turns.toReversed()) {
        const time = await timeRun(measure, stage, round);
        if (round >= WARM_UP) ofStages[index]?.push(time);
      }
    }
  const { percentile: percent } = flags;
  const shown = percent === undefined ? median : (of: readonly number[]) => percentile(of, Number(percent));
  return new Map([...times].map(([measure, ofStages]) => [measure, ofStages.map(shown)]));
}

function print(name: string, [small = 0, large = 0]: readonly number[]): void {
  const digits = (time: number) => (time < 0.1 ? time.toFixed(4) : time.toFixed(2)).padStart(9);
  console.log(
    `| ${name.padEnd(32)} | ${digits(small)} | ${digits(large)} | ${(large / small).toFixed(2).padStart(5)} |`,
  );
}

const dimensions = Number(flags.meaning);
const embeddings = flags.meaning === undefined ? undefined : await startNumberedEmbeddings(dimensions);

/** What is seeded and measured. */
function subject(): { readonly content: StageContent; readonly measures: readonly Measure[] } {
  if (flags.assets) return { content: { fill: seedAssets }, measures: assetMeasures };
  if (flags.editorial)
    return { content: { fill: seedEditorial, locales: editorialLocales }, measures: editorialMeasures };
  if (flags.audit !== undefined)
    return {
      content: { fill: (client, place, count) => seedAudit(client, place, { count, days: AUDIT_DAYS }) },
      measures: auditMeasures,
    };
  if (flags.health) return { content: { fill: seedChanged }, measures: healthMeasures };
  if (flags.search) return { content: {}, measures: searchMeasures };
  if (flags.meaning !== undefined)
    return { content: { embeddings: embeddings?.url }, measures: meaningMeasures };
  return { content: {}, measures };
}

/** Columns of the report: pages, audit records or environments. */
const sizes =
  flags.environments === undefined
    ? [Number(flags.small), Number(flags.audit ?? flags.large)]
    : [1, Number(flags.environments)];

/** Says on standard error how long a step takes, so that the report is standard output. */
async function timed<T>(step: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  console.error(`${step} …`);
  const result = await work();
  console.error(`${step}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  return result;
}

async function open(url: string, size: number): Promise<Stage> {
  const { content } = subject();
  const count = flags.environments === undefined ? size : Number(flags.small);
  const stage = await timed(`Seeding ${String(count)}`, () => openStage(url, count, content));
  if (flags.search) await timed(`Indexing ${String(count)}`, () => indexPages(stage));
  if (embeddings) await timed(`Vectors of ${String(count)}`, () => indexMeaning(stage, dimensions));
  if (flags.environments === undefined) return stage;
  await addEnvironments(stage, size);
  return stage;
}

async function main(): Promise<void> {
  const databases = await Promise.all(
    sizes.map((size) => scratchDatabase(`headwater_growth_${String(size)}`)),
  );
  const stages: Stage[] = [];
  try {
    for (const [index, { url }] of databases.entries()) stages.push(await open(url, sizes[index] ?? 0));
    console.log(
      `| ${(flags.percentile === undefined ? 'median, ms' : `p${flags.percentile}, ms`).padEnd(32)} | ${sizes.map((size) => String(size).padStart(9)).join(' | ')} | ratio |`,
    );
    console.log(`| ${'-'.repeat(32)} | --------: | --------: | ----: |`);
    const chosen = subject().measures.filter(({ name }) => name.includes(flags.only));
    for (const [{ name }, medians] of await compare(chosen, stages)) print(name, medians);
    const largest = stages.at(-1);
    if (largest !== undefined && flags.move) console.log(await moveBranch(largest));
    if (largest !== undefined && flags.branch) console.log(await branchOff(largest));
  } finally {
    for (const stage of stages) await stage.close();
    for (const database of databases) await database.drop();
    await embeddings?.close();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ImportSystem } from '../../../../contracts/editorial/imports/import-job.js';
import { AppError } from '../../../../contracts/errors.js';
import type { Progress } from '../../progress.js';
import { reasonOf } from '../send-items.js';
import { AssetImport, isStorable } from './import-assets.js';
import type { ExportSource, SourceEntry } from './export-source.js';
import { EntryImport } from './import-entries.js';
import { writeMapping } from './import-mapping.js';
import { makePlan, type ImportPlan } from './import-plan.js';
import { importRedirects } from './import-redirects.js';
import { ImportReport } from './import-report.js';
import { identityOf, ImportState } from './import-state.js';
import { TableImport } from './import-table.js';
import { TargetPreparation, type PreparedTarget, type Target } from './import-target.js';

type Reader = (file: string, type: string | undefined) => Promise<ExportSource>;

/** A system is loaded when its name is given. */
export const systems: Readonly<Record<ImportSystem, () => Promise<Reader>>> = {
  contentful: async () => (await import('./contentful.js')).readContentful,
  csv: async () => (await import('./table.js')).readCsvTable,
  jsonl: async () => (await import('./table.js')).readJsonTable,
  markdown: async () => (await import('./markdown.js')).readMarkdown,
  sanity: async () => (await import('./sanity.js')).readSanity,
  strapi: async () => (await import('./strapi.js')).readStrapi,
  wordpress: async () => (await import('./wordpress.js')).readWordPress,
};

/** What is imported, and where to. */
export interface ImportOptions {
  readonly file: string;
  readonly system: ImportSystem;
  readonly target: Target;
  readonly mapping: string;
  /** Where losses are written. */
  readonly losses: string;
  /** What was done, so that a run that was stopped continues. */
  readonly state: string;
  readonly isDry: boolean;
  readonly isResumed: boolean;
  readonly type: string | undefined;
}

/** What the steps share. */
interface Run {
  readonly prepared: PreparedTarget;
  readonly plan: ImportPlan;
  readonly report: ImportReport;
  readonly state: ImportState;
}

/** Whatever is of any number is written part by part, and its losses with it. */
async function tableOf(
  { prepared, plan, report, state }: Run,
  losses: string,
): Promise<TableImport | undefined> {
  const { table } = plan.source;
  if (table === undefined) return undefined;
  const context = { target: prepared, plan, report, state };
  if (state.isEmpty) await writeFile(losses, report.losses.take());
  else report.losses.drop(() => true);
  return new TableImport(context, table, () => appendFile(losses, report.losses.take()));
}

async function writeContent(
  { prepared, plan, report, state }: Run,
  newProgress: () => Progress,
): Promise<number> {
  const assets = new AssetImport(prepared, plan, report);
  await assets.store(newProgress());
  const context = { target: prepared, plan, report, state, assets: assets.ids };
  const entries = new EntryImport(context);
  await entries.write(newProgress());
  const [locale = ''] = plan.locales.values();
  const written = plan.source.entries.filter(({ type }) => plan.types.has(type));
  const nodeOf = (entry: SourceEntry): string | undefined => entries.nodeOf(entry);
  await importRedirects(prepared, report, { entries: written, nodeOf, locale });
  await state.remove();
  return entries.failed;
}

async function importTable(
  table: TableImport,
  { isDry, state, newProgress }: { isDry: boolean; state: ImportState; newProgress: () => Progress },
): Promise<number> {
  if (isDry) await table.preview();
  else {
    await table.write(newProgress());
    await state.remove();
  }
  return table.failed;
}

/** Finds the losses of values, and counts what would be made. */
async function preview({ prepared, plan, report, state }: Run): Promise<number> {
  const files = plan.source.assets.filter(isStorable);
  report.count('asset', 'made', files.length);
  const assets = new Map(files.map(({ id }) => [id, id]));
  await new EntryImport({ target: prepared, plan, report, state, assets }).preview();
  return 0;
}

export interface ImportEvents {
  newProgress(): Progress;
  /** The default mapping was written. */
  onMapping(): void;
}

interface ImportResult {
  readonly report: ImportReport;
  /** Entries that could not be written. */
  readonly failed: number;
  /** Fields that content types of the project lack: a run that writes is refused. */
  readonly conflicts: number;
}

/**
 * Imports an export.
 * @throws Error with one line for people
 */
export async function importFile(options: ImportOptions, events: ImportEvents): Promise<ImportResult> {
  const read = await systems[options.system]();
  const source = await read(options.file, options.type);
  try {
    return await importSource(source, options, events);
  } finally {
    await source.remove?.();
  }
}

async function importSource(
  source: ExportSource,
  options: ImportOptions,
  { newProgress, onMapping }: ImportEvents,
): Promise<ImportResult> {
  const { file, target, mapping, losses, isDry, isResumed } = options;
  if (isDry && (await writeMapping(source, mapping))) onMapping();
  const plan = await makePlan(source, mapping);
  if (source.table !== undefined && !plan.columns?.id)
    throw new Error('No column has external ids. Name one in the mapping: columns, id.');
  const report = new ImportReport(source.losses);
  for (const kind of ['locale', 'type', 'field'] as const) report.count(kind, 'skipped', plan.skipped[kind]);
  let [failed, conflicts] = [0, 0];
  try {
    const prepared = await new TargetPreparation(target, plan, report).prepare(isDry);
    ({ conflicts } = prepared);
    const names = [target.projectSlug, target.siteSlug, JSON.stringify([...plan.types.values()])];
    const identity = await identityOf(file, ...names);
    const state = isDry ? ImportState.none : await ImportState.open(options.state, { identity, isResumed });
    const run = { prepared, plan, report, state };
    const table = await tableOf(run, losses);
    if (table !== undefined) failed = await importTable(table, { isDry, state, newProgress });
    else failed = await (isDry ? preview(run) : writeContent(run, newProgress));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new Error(reasonOf(error), { cause: error });
  } finally {
    // Those of a table are written with its parts.
    if (source.table === undefined) {
      await mkdir(path.dirname(losses), { recursive: true });
      await writeFile(losses, report.losses.take());
    }
  }
  return { report, failed, conflicts };
}

import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '../../../../contracts/errors.js';
import { connect } from '../../client/rest-operations.js';
import { progressOn, type ProgressOutput } from '../../progress.js';
import { reasonOf } from '../send-items.js';
import type { ExportSource, SourceEntry } from './export-source.js';
import { importRedirects } from './import-redirects.js';
import { AssetImport, isStorable } from './import-assets.js';
import { EntryImport } from './import-entries.js';
import { writeMapping } from './import-mapping.js';
import { makePlan, type ImportPlan } from './import-plan.js';
import { ImportReport } from './import-report.js';
import { identityOf, ImportState } from './import-state.js';
import { TableImport } from './import-table.js';
import { TargetPreparation, type PreparedTarget, type Target } from './import-target.js';

type Reader = (file: string, type: string | undefined) => Promise<ExportSource>;

/** A system is loaded when its name is given. */
const systems: Readonly<Record<string, () => Promise<Reader>>> = {
  contentful: async () => (await import('./contentful.js')).readContentful,
  csv: async () => (await import('./table.js')).readCsvTable,
  jsonl: async () => (await import('./table.js')).readJsonTable,
  markdown: async () => (await import('./markdown.js')).readMarkdown,
  sanity: async () => (await import('./sanity.js')).readSanity,
  strapi: async () => (await import('./strapi.js')).readStrapi,
  wordpress: async () => (await import('./wordpress.js')).readWordPress,
};

export const importUsage =
  'headwater import contentful|csv|jsonl|markdown|sanity|strapi|wordpress <file> --url <service> --key <management key> --project <project> [--site <site>] [--type <type>] [--dry-run] [--mapping <file>] [--resume]';

export const importHelp = `Usage: ${importUsage}

Imports the export of another system, a folder of Markdown files, or a table with an entry in each row: content types, locales, files, and entries with their links, states and dates.
A second run changes nothing. Two files are written beside the export: <name>.losses.jsonl has a line for everything
that is not in the project, with the reason and what can be done; <name>.progress exists while a run is not complete.

  --url      address of the service, by default HEADWATER_URL
  --key      management key, or access token of a session, by default HEADWATER_KEY. Only the session of an owner or
             admin keeps dates and authors; HEADWATER_EMAIL and HEADWATER_PASSWORD log in
  --project  slug of the project, which exists
  --site     slug of the site, by default main
  --type     csv and jsonl: apiName of the content type of the rows, which is made if the project lacks it
  --dry-run  changes nothing, and writes the mapping if the file does not exist
  --mapping  names of types, fields, locales and authors, and what columns are, by default <name>.mapping.yaml if it exists
  --resume   continues a run that was stopped

Exit codes: 0 done, 1 failure, 2 done but for entries that could not be written, or a dry run of an import that would
be refused because content types of the project lack fields.
`;

export interface ImportConsole {
  /** Paths are relative to it. */
  readonly directory: string;
  print(text: string): void;
  readonly progress: ProgressOutput;
}

interface Options {
  readonly file: string;
  readonly system: string;
  readonly target: Target;
  readonly mapping: string;
  readonly isDry: boolean;
  readonly isResumed: boolean;
  readonly type: string | undefined;
}

/** `<folder>/<name>.<extension>` beside the export. */
function besides(file: string, extension: string): string {
  const { dir, name } = path.parse(file);
  return path.join(dir, `${name}.${extension}`);
}

async function optionsOf(args: readonly string[], { directory }: ImportConsole): Promise<Options> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      url: text,
      key: text,
      project: text,
      site: text,
      mapping: text,
      type: text,
      'dry-run': flag,
      resume: flag,
    },
  });
  const [system = '', name, ...rest] = positionals;
  if (!Object.hasOwn(systems, system))
    throw new Error(`Say ${Object.keys(systems).join(' or ')}. Usage: ${importUsage}`);
  if (name === undefined || rest.length > 0) throw new Error(`Name one file. Usage: ${importUsage}`);
  const { project, site = 'main', mapping } = values;
  if (!project) throw new Error(`Name the project. Usage: ${importUsage}`);
  const file = path.resolve(directory, name);
  const { client } = await connect(values);
  return {
    file,
    system,
    target: { client, projectSlug: project, siteSlug: site },
    mapping: mapping === undefined ? besides(file, 'mapping.yaml') : path.resolve(directory, mapping),
    isDry: values['dry-run'],
    isResumed: values.resume,
    type: values.type,
  };
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
  progress: ProgressOutput,
): Promise<number> {
  const assets = new AssetImport(prepared, plan, report);
  await assets.store(progressOn(progress));
  const context = { target: prepared, plan, report, state, assets: assets.ids };
  const entries = new EntryImport(context);
  await entries.write(progressOn(progress));
  const [locale = ''] = plan.locales.values();
  const written = plan.source.entries.filter(({ type }) => plan.types.has(type));
  const nodeOf = (entry: SourceEntry): string | undefined => entries.nodeOf(entry);
  await importRedirects(prepared, report, { entries: written, nodeOf, locale });
  await state.remove();
  return entries.failed;
}

async function importTable(
  table: TableImport,
  { isDry, state, progress }: { isDry: boolean; state: ImportState; progress: ProgressOutput },
): Promise<number> {
  if (isDry) await table.preview();
  else {
    await table.write(progressOn(progress));
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

/**
 * Imports an export.
 * @returns the exit code
 * @throws Error with one line for people
 */
export async function runImportCommand(args: readonly string[], console: ImportConsole): Promise<number> {
  const options = await optionsOf(args, console);
  const read = await systems[options.system]?.();
  if (read === undefined) throw new Error(`Usage: ${importUsage}`);
  const source = await read(options.file, options.type);
  try {
    return await importSource(source, options, console);
  } finally {
    await source.remove?.();
  }
}

async function importSource(source: ExportSource, options: Options, console: ImportConsole): Promise<number> {
  const { file, target, mapping, isDry, isResumed } = options;
  if (isDry && (await writeMapping(source, mapping))) console.print(`${mapping} written.\n`);
  const plan = await makePlan(source, mapping);
  if (source.table !== undefined && !plan.columns?.id)
    throw new Error('No column has external ids. Name one in the mapping: columns, id.');
  const report = new ImportReport(source.losses);
  for (const kind of ['locale', 'type', 'field'] as const) report.count(kind, 'skipped', plan.skipped[kind]);
  const losses = besides(file, 'losses.jsonl');
  let [failed, conflicts] = [0, 0];
  try {
    const prepared = await new TargetPreparation(target, plan, report).prepare(isDry);
    ({ conflicts } = prepared);
    const names = [target.projectSlug, target.siteSlug, JSON.stringify([...plan.types.values()])];
    const identity = await identityOf(file, ...names);
    const state = isDry
      ? ImportState.none
      : await ImportState.open(besides(file, 'progress'), { identity, isResumed });
    const run = { prepared, plan, report, state };
    const table = await tableOf(run, losses);
    if (table !== undefined) failed = await importTable(table, { isDry, state, progress: console.progress });
    else failed = await (isDry ? preview(run) : writeContent(run, console.progress));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new Error(reasonOf(error), { cause: error });
  } finally {
    // Those of a table are written with its parts.
    if (source.table === undefined) {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(losses, report.losses.take());
    }
  }
  console.print(`${report.toString()}${isDry ? 'Nothing was changed. ' : ''}Losses: ${losses}\n`);
  if (conflicts > 0)
    console.print(
      `Content types of the project lack ${String(conflicts)} fields of the mapping, which the losses name. Add them, or change ${mapping}: until then, a run that writes is refused.\n`,
    );
  return failed + conflicts > 0 ? 2 : 0;
}

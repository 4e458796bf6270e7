import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '../../../contracts/errors.js';
import { connect, isAppError } from '../client/rest-operations.js';
import { Losses, type SourceAsset } from '../import/exports/export-source.js';
import { AssetImport } from '../import/exports/import-assets.js';
import { ImportReport } from '../import/exports/import-report.js';
import { identityOf, ImportState } from '../import/exports/import-state.js';
import { reasonOf } from '../import/send-items.js';
import { progressOn } from '../progress.js';
import type { ExportConsole } from './export-command.js';
import { keyOf } from './export-format.js';
import { ExportReader } from './read-export.js';
import { EntryRestore } from './restore-entries.js';
import { HistoryRestore } from './restore-history.js';
import { restoreRedirects } from './restore-redirects.js';
import { SettingsRestore, type Restore } from './restore-settings.js';
import { restoreStates } from './restore-states.js';
import { TreeRestore } from './restore-tree.js';

export const projectImportUsage =
  'headwater import project <folder>|<file>.tar.gz --url <service> --key <key> [--into <project>] [--tenant <tenant>] [--dry-run] [--resume]';

export const projectImportHelp = `Usage: ${projectImportUsage}

Imports what headwater export wrote. Entries keep their external ids, or get their ids as such; files get a tag. By these
they are found again: a second run changes nothing. Versions of an export with history are imported of new entries, by
the session of an owner or admin. Beside the export, <name>.losses.jsonl has a line for everything that
is not in the project, and <name>.progress exists while a run is not complete. Workflows permit every transition while
the import runs; webhooks are disabled, and get new secrets.

  --into     slug of the project, by default that of the export
  --tenant   slug of the tenant in which the project is made if it does not exist, by a super-admin
  --dry-run  changes nothing, and counts what would be made
  --resume   continues a run that was stopped
`;

/** What the target has no operation for. */
function loseWhatIsNotKept({ report, reader }: Restore): void {
  if (!reader.manifest.hasHistory)
    report.losses.add('version', 'entries', [
      'versions, the times of changes and who made them',
      'The export has no history.',
      'Export again with --history, and import into a new project.',
    ]);
  report.losses.add('entry', 'entries', [
    'assignees, approvals, comments and deadlines',
    'They belong to users of the other service.',
    'Assign again.',
  ]);
  report.losses.add('redirect', 'redirects', ['counts of hits', 'They start again.', 'None.']);
}

async function importAssets(restore: Restore, console: ExportConsole): Promise<void> {
  const { reader, ids, report } = restore;
  const locales = new Map<string, string>();
  const assets: SourceAsset[] = [];
  for await (const { value } of reader.lines('assets.jsonl')) {
    for (const code of Object.keys(value.locales)) locales.set(code, code);
    const { folderId, siteIds, focalPoint } = value;
    assets.push({
      id: keyOf(value),
      where: `asset ${value.fileName}`,
      address: value.fileName,
      file: reader.pathOf(`media/${value.checksum}`),
      fileName: value.fileName,
      isPrivate: value.visibility === 'private',
      tags: value.tags,
      texts: new Map(Object.entries(value.locales)),
      place: {
        folderId: folderId === null ? null : (ids.get(folderId) ?? null),
        siteIds: siteIds.flatMap((id) => ids.get(id) ?? []),
        focalPoint,
      },
    });
  }
  const found = new AssetImport(restore, { source: { system: 'headwater', assets }, locales }, report);
  await found.store(progressOn(console.progress));
  for await (const { value } of reader.lines('assets.jsonl')) {
    const own = found.ids.get(keyOf(value));
    if (own !== undefined) ids.set(value.id, own);
  }
}

/** @returns the number of versions of entries that could not be written */
async function importAll(
  restore: Restore,
  console: ExportConsole,
  tenantSlug: string | undefined,
): Promise<number> {
  const settings = new SettingsRestore(restore);
  await settings.read();
  await settings.project(tenantSlug);
  await settings.locales();
  await settings.makeSites();
  await settings.startSchema();
  await settings.folders();
  await importAssets(restore, console);
  const entries = new EntryRestore(restore, settings);
  const tree = new TreeRestore(restore, entries, settings);
  await tree.read();
  await entries.find((missing) => {
    tree.wait(missing);
  });
  await tree.create();
  await settings.homes();
  await entries.write(progressOn(console.progress));
  await new HistoryRestore(restore, entries).write(progressOn(console.progress));
  await tree.finish();
  await restoreRedirects(restore);
  await restoreStates(restore, settings);
  await settings.finishSchema();
  await settings.others();
  await restore.state.remove();
  return entries.failed;
}

/** Counts what would be made. */
async function preview(restore: Restore): Promise<void> {
  const { client, projectSlug, reader, report } = restore;
  const isThere = await client.call('locales', 'list', { projectSlug }).then(
    () => true,
    (error: unknown) => {
      if (!isAppError(error, 'project_not_found')) throw error;
      return false;
    },
  );
  const entries = new EntryRestore(restore, new SettingsRestore(restore));
  let missing = 0;
  if (isThere)
    await entries.find((lines) => {
      missing += lines.length;
    });
  const linesOf = (name: string): number =>
    reader.manifest.files.find(({ file }) => file === name)?.lines ?? 0;
  const all = linesOf('entries.jsonl');
  report.count('entry', 'made', isThere ? missing : all);
  report.count('entry', 'same', isThere ? all - missing : 0);
  report.count('asset', 'made', linesOf('assets.jsonl'));
  report.count('redirect', 'made', linesOf('redirects.jsonl'));
  if (isThere) await new HistoryRestore(restore, entries).preview();
  else report.count('version', 'made', linesOf('history.jsonl'));
}

interface Options {
  readonly place: string;
  readonly into: string | undefined;
  readonly tenant: string | undefined;
  readonly isDry: boolean;
  readonly isResumed: boolean;
  readonly service: { readonly url?: string | undefined; readonly key?: string | undefined };
}

function optionsOf(args: readonly string[], directory: string): Options {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { url: text, key: text, into: text, tenant: text, 'dry-run': flag, resume: flag },
  });
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0) throw new Error(`Name one export. Usage: ${projectImportUsage}`);
  const { url, key, into, tenant, 'dry-run': isDry, resume: isResumed } = values;
  return { place: path.resolve(directory, name), into, tenant, isDry, isResumed, service: { url, key } };
}

/**
 * Imports the export of a project.
 * @returns the exit code
 * @throws Error with one line for people
 */
export async function runProjectImport(args: readonly string[], console: ExportConsole): Promise<number> {
  const { place, into, tenant, isDry, isResumed, service } = optionsOf(args, console.directory);
  const { client } = await connect(service);
  const reader = await ExportReader.open(place);
  const report = new ImportReport(new Losses());
  const projectSlug = into ?? reader.manifest.project;
  let failed = 0;
  try {
    const identity = await identityOf(reader.pathOf('manifest.json'), projectSlug);
    const state = isDry
      ? ImportState.none
      : await ImportState.open(`${place}.progress`, { identity, isResumed });
    const restore = { client, projectSlug, reader, report, state, ids: new Map<string, string>() };
    loseWhatIsNotKept(restore);
    if (isDry) await preview(restore);
    else failed = await importAll(restore, console, tenant);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new Error(reasonOf(error), { cause: error });
  } finally {
    await reader.close();
    const table = report.toString();
    await writeFile(`${place}.losses.jsonl`, report.losses.take());
    console.print(`${table}${isDry ? 'Nothing was changed. ' : ''}Losses: ${place}.losses.jsonl\n`);
  }
  return failed > 0 ? 2 : 0;
}

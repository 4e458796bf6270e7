import path from 'node:path';
import { parseArgs } from 'node:util';
import type { ImportSystem } from '../../../../contracts/editorial/imports/import-job.js';
import { connect } from '../../client/rest-operations.js';
import { progressOn, type ProgressOutput } from '../../progress.js';
import { importFile, systems, type ImportOptions } from './import-file.js';

const isSystem = (name: string): name is ImportSystem => Object.hasOwn(systems, name);

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

/** `<folder>/<name>.<extension>` beside the export. */
function besides(file: string, extension: string): string {
  const { dir, name } = path.parse(file);
  return path.join(dir, `${name}.${extension}`);
}

async function optionsOf(args: readonly string[], { directory }: ImportConsole): Promise<ImportOptions> {
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
  if (!isSystem(system)) throw new Error(`Say ${Object.keys(systems).join(' or ')}. Usage: ${importUsage}`);
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
    losses: besides(file, 'losses.jsonl'),
    state: besides(file, 'progress'),
    isDry: values['dry-run'],
    isResumed: values.resume,
    type: values.type,
  };
}

/**
 * Imports an export.
 * @returns the exit code
 * @throws Error with one line for people
 */
export async function runImportCommand(args: readonly string[], console: ImportConsole): Promise<number> {
  const options = await optionsOf(args, console);
  const { mapping, losses, isDry } = options;
  const { report, failed, conflicts } = await importFile(options, {
    newProgress: () => progressOn(console.progress),
    onMapping: () => {
      console.print(`${mapping} written.\n`);
    },
  });
  console.print(`${report.toString()}${isDry ? 'Nothing was changed. ' : ''}Losses: ${losses}\n`);
  if (conflicts > 0)
    console.print(
      `Content types of the project lack ${String(conflicts)} fields of the mapping, which the losses name. Add them, or change ${mapping}: until then, a run that writes is refused.\n`,
    );
  return failed + conflicts > 0 ? 2 : 0;
}

import path from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '../../../contracts/errors.js';
import { connect, type Operations } from '../client/rest-operations.js';
import { unreachable } from '../client/project-api.js';
import type { ProgressOutput } from '../progress.js';
import { reasonOf } from '../import/send-items.js';
import { FORMAT, FORMAT_VERSION } from './export-format.js';
import type { ExportScope } from './read-entries.js';
import { ProjectReader } from './read-project.js';
import { openExport, type ExportFolder } from './write-export.js';

export const exportUsage =
  'headwater export --url <service> --key <key> --project <project> --out <folder>|<file>.tar.gz [--type <type>]… [--site <site>]… [--locale <locale>]… [--history]';

export const exportHelp = `Usage: ${exportUsage}

Writes a project to a folder or an archive: schema, workflows, roles, locales, sites, entries with their drafts and what
readers see, files, trees, redirects, views, webhooks without secrets, and settings of search. The format
is JSON Lines, with checksums; headwater import project reads it.

  --url      address of the service, by default HEADWATER_URL
  --key      management key, or access token of a session, by default HEADWATER_KEY; HEADWATER_EMAIL and
             HEADWATER_PASSWORD log in. It exports what it may read: the session of an owner or admin reads everything
  --project  slug
  --out      new folder, or file that ends with .tar.gz
  --type     only entries of this content type, and the files that they link; may be repeated
  --site     only this site; may be repeated
  --locale   only this locale of entries; may be repeated
  --history  also every version of every entry, which an import does not read
`;

export interface ExportConsole {
  /** Paths are relative to it. */
  readonly directory: string;
  print(text: string): void;
  readonly progress: ProgressOutput;
}

interface Options {
  readonly url: string;
  readonly client: Operations;
  readonly projectSlug: string;
  readonly out: string;
  readonly name: string;
  readonly scope: ExportScope;
  readonly hasHistory: boolean;
}

async function optionsOf(args: readonly string[], { directory }: ExportConsole): Promise<Options> {
  const text = { type: 'string' } as const;
  const several = { type: 'string', multiple: true, default: [] as string[] } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: text,
      key: text,
      project: text,
      out: text,
      type: several,
      site: several,
      locale: several,
      history: { type: 'boolean', default: false },
    },
  });
  const { project, out, type: types, site: sites, locale: locales, history: hasHistory } = values;
  if (!project || !out) throw new Error(`Name the project and the folder. Usage: ${exportUsage}`);
  const { url, client } = await connect(values);
  const scope = { types, sites, locales };
  return {
    url,
    client,
    projectSlug: project,
    out: path.resolve(directory, out),
    name: out,
    scope,
    hasHistory,
  };
}

const FILE_MILLISECONDS = 600_000;
/** Files are read while the lines of the assets before them are written. */
const FILES_AT_ONCE = 4;

/** Reads files of assets, a few at a time. */
class FileReader {
  readonly #running = new Set<Promise<void>>();
  #failure: unknown;

  constructor(
    private readonly options: Options,
    private readonly folder: ExportFolder,
  ) {}

  async start(asset: { id: string; checksum: string; isPrivate: boolean; url: string }): Promise<void> {
    while (this.#running.size >= FILES_AT_ONCE) await Promise.race(this.#running);
    if (this.#failure !== undefined) throw this.#failure as Error;
    const running = this.folder
      .store(asset.checksum, () => this.#read(asset))
      .catch((error: unknown) => {
        this.#failure ??= new Error(
          `The file of the asset ${asset.id} cannot be exported: ${reasonOf(error)}`,
        );
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async end(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failure !== undefined) throw this.#failure as Error;
  }

  async #read({
    id,
    isPrivate,
    url,
  }: {
    id: string;
    isPrivate: boolean;
    url: string;
  }): Promise<AsyncIterable<Uint8Array>> {
    const { client, projectSlug } = this.options;
    const place = isPrivate ? (await client.call('media', 'signUrl', { projectSlug, id })).data.url : url;
    const address = new URL(place, `${this.options.url.replace(/\/+$/, '')}/`);
    const response = await fetch(address, { signal: AbortSignal.timeout(FILE_MILLISECONDS) }).catch(
      (error: unknown) => {
        throw unreachable(address.origin, error);
      },
    );
    if (!response.ok || response.body === null)
      throw new Error(`${address.pathname} returned ${String(response.status)}`);
    return response.body;
  }
}

/** Writes the files in the order in which an import reads them. @returns counts for people, and what was left out */
async function writeAll(options: Options, folder: ExportFolder): Promise<string[]> {
  const { client, projectSlug, scope, hasHistory } = options;
  const project = new ProjectReader({ client, projectSlug, scope, hasHistory });
  await folder.write('settings.jsonl', project.settings());
  const entries = await folder.write('entries.jsonl', project.entries.lines());
  if (hasHistory) await folder.write('history.jsonl', project.entries.history());
  const files = new FileReader(options, folder);
  const assets = await folder.write(
    'assets.jsonl',
    project.assets((asset) => files.start(asset)),
  );
  await files.end();
  const nodes = await folder.write('tree.jsonl', project.tree());
  const redirects = await folder.write('redirects.jsonl', project.redirects());
  await folder.finish({
    format: FORMAT,
    version: FORMAT_VERSION,
    createdAt: new Date().toISOString(),
    project: projectSlug,
    only: { types: [...scope.types], sites: [...scope.sites], locales: [...scope.locales] },
    hasHistory,
  });
  return [
    `${options.name}: ${String(entries)} entries, ${String(assets)} assets, ${String(nodes)} tree nodes, ${String(redirects)} redirects.`,
    ...(await project.leftOut()),
  ];
}

/**
 * Exports a project.
 * @throws Error with one line for people
 */
export async function runExportCommand(args: readonly string[], console: ExportConsole): Promise<void> {
  const options = await optionsOf(args, console);
  const { folder, complete } = await openExport(options.out);
  try {
    const lines = await writeAll(options, folder);
    await complete();
    console.print(`${lines.join('\n')}\n`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new Error(reasonOf(error), { cause: error });
  }
}

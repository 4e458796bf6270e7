import { createHash } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { SyncItem } from '../../../contracts/publishing/delivery/sync.js';
import { limits } from '../../../contracts/limits.js';
import { ProjectApi, RefusedCall } from '../client/project-api.js';

/** Folders of the documents by their kind. */
const folders = { entry: 'entries', asset: 'assets', route: 'routes', redirect: 'redirects' } as const;

/** Everything that is not a document is in it. */
const OWN_FOLDER = '.headwater-sync';
const LONGEST_NAME = 120;
/** Files that are written at once. */
const AT_ONCE = 16;

/** What the folder is a mirror of, and where it continues. */
interface MirrorState {
  /** Project and site. */
  readonly source: string;
  readonly cursor: string | null;
  /** Whether all content is being read, after which files that were not part of it are removed. */
  readonly isWhole: boolean;
}

/** Part of a file name: no service can name another folder or a hidden file, or a name that a system reserves. */
function safe(text: string): string {
  const escaped = text.replace(/[^\w-]/gu, (character) => `~${Buffer.from(character).toString('hex')}`);
  if (escaped.length <= LONGEST_NAME) return escaped;
  return `${escaped.slice(0, LONGEST_NAME)}~${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

/** Path of the file of a document in the mirror: `entries/<id>.<locale>.json`. */
function fileOf(item: SyncItem): string {
  if (!Object.hasOwn(folders, item.kind)) throw new Error(`The service returned an item of an unknown kind.`);
  const locale = item.kind === 'redirect' ? undefined : item.locale;
  const name = locale === undefined ? safe(item.id) : `${safe(item.id)}.${safe(locale)}`;
  return `${folders[item.kind]}/${name}.json`;
}

/** A deletion of an asset in every locale. */
const isWide = (item: SyncItem): boolean =>
  item.kind === 'asset' && item.op === 'delete' && item.locale === undefined;

/** What the names of all files of an item begin with: nothing else in them has a dot. */
const stemOf = (file: string): string => file.slice(0, file.indexOf('.'));

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * A folder with one JSON file for each document of a site. Files are replaced by renaming, so that readers see whole
 * documents; the cursor is stored after the page that it follows, so that a run that is stopped anywhere repeats a page
 * at most.
 */
class MirrorFolder {
  #written = 0;

  private constructor(
    private readonly folder: string,
    private state: MirrorState,
  ) {}

  /** @throws Error with one line for people if the folder has something else */
  static async open(folder: string, source: string): Promise<MirrorFolder> {
    const own = path.join(folder, OWN_FOLDER);
    const known = await textOf(path.join(own, 'state.json'));
    if (known === undefined && (await isFilled(folder)))
      throw new Error(`${folder} is not empty, and not a mirror. Name another folder.`);
    await rm(path.join(own, 'drafts'), { recursive: true, force: true });
    for (const name of [path.join(OWN_FOLDER, 'drafts'), ...Object.values(folders)])
      await mkdir(path.join(folder, name), { recursive: true });
    const mirror = new MirrorFolder(folder, stateIn(known) ?? { source, cursor: null, isWhole: true });
    if (mirror.state.source !== source)
      throw new Error(`${folder} is a mirror of ${mirror.state.source}. Name another folder.`);
    if (known === undefined) await mirror.startOver();
    return mirror;
  }

  /** Null: at the start. */
  get cursor(): string | null {
    return this.state.cursor;
  }

  /** All content will be read again; what is not part of it is removed when it has been. */
  async startOver(): Promise<void> {
    await rm(this.#own('seen'), { force: true });
    await this.#save({ ...this.state, cursor: null, isWhole: true });
  }

  /** Applies a page, then stores where the next one starts. */
  async apply(items: readonly SyncItem[], next: { cursor: string; hasMore: boolean }): Promise<void> {
    await this.#removeWhole(items.filter(isWide));
    for (let start = 0; start < items.length; start += AT_ONCE)
      await Promise.all(items.slice(start, start + AT_ONCE).map((item) => this.#applyItem(item)));
    const { isWhole } = this.state;
    if (isWhole) await this.#noteSeen(items);
    if (isWhole && !next.hasMore) await this.#removeUnseen();
    await this.#save({ ...this.state, cursor: next.cursor, isWhole: isWhole && next.hasMore });
    if (isWhole && !next.hasMore) await rm(this.#own('seen'), { force: true });
  }

  async #applyItem(item: SyncItem): Promise<void> {
    const file = path.join(this.folder, fileOf(item));
    if (item.op === 'upsert') await this.#replace(file, `${JSON.stringify(item.document, null, 2)}\n`);
    else await rm(file, { force: true });
  }

  /** Deletions come before the other items of a page. */
  async #removeWhole(items: readonly SyncItem[]): Promise<void> {
    if (items.length === 0) return;
    const gone = new Set(items.map((item) => stemOf(fileOf(item))));
    for (const file of await readdir(path.join(this.folder, folders.asset)))
      if (gone.has(stemOf(`${folders.asset}/${file}`)))
        await rm(path.join(this.folder, folders.asset, file), { force: true });
  }

  async #noteSeen(items: readonly SyncItem[]): Promise<void> {
    const signOf = (item: SyncItem) => (item.op === 'upsert' ? '+' : isWide(item) ? '*' : '-');
    const lines = items.map((item) => `${signOf(item)}${fileOf(item)}\n`);
    await appendFile(this.#own('seen'), lines.join(''));
  }

  async #removeUnseen(): Promise<void> {
    const seen = new Map<string, Set<string>>();
    for (const [sign = '', ...rest] of ((await textOf(this.#own('seen'))) ?? '').split('\n')) {
      const file = rest.join('');
      const known = seen.get(stemOf(file)) ?? new Set();
      if (sign === '+') seen.set(stemOf(file), known.add(file));
      else if (sign === '*') known.clear();
      else known.delete(file);
    }
    for (const name of Object.values(folders))
      for (const file of await readdir(path.join(this.folder, name)))
        if (seen.get(stemOf(`${name}/${file}`))?.has(`${name}/${file}`) !== true)
          await rm(path.join(this.folder, name, file), { force: true });
  }

  async #save(state: MirrorState): Promise<void> {
    await this.#replace(this.#own('state.json'), `${JSON.stringify(state)}\n`);
    this.state = state;
  }

  async #replace(file: string, text: string): Promise<void> {
    this.#written += 1;
    const draft = this.#own(path.join('drafts', String(this.#written)));
    await writeFile(draft, text);
    await rename(draft, file);
  }

  #own(name: string): string {
    return path.join(this.folder, OWN_FOLDER, name);
  }
}

async function isFilled(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).some((name) => name !== OWN_FOLDER);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function stateIn(text: string | undefined): MirrorState | undefined {
  if (text === undefined) return undefined;
  const { source, cursor, isWhole } = JSON.parse(text) as MirrorState;
  return { source, cursor, isWhole };
}

export const syncUsage =
  'headwater sync --url <service> --key <delivery key> --project <project> --site <site> --out <folder>';

export const syncHelp = `Usage: ${syncUsage}

Mirrors the published content of a site into a folder: entries/<id>.<locale>.json with their blocks,
assets/<id>.<locale>.json, routes/<id>.<locale>.json with the paths of entries, and redirects/<id>.json. The next run
reads what has changed since. A run that was stopped continues where it was.

  --url      address of the service, by default HEADWATER_URL
  --key      delivery or preview key, by default HEADWATER_KEY
  --project  slug
  --site     slug
  --out      folder, new or of an earlier run
`;

interface SyncConsole {
  /** `--out` is relative to it. */
  readonly directory: string;
  print(text: string): void;
}

interface Options {
  readonly api: ProjectApi;
  readonly source: string;
  readonly folder: string;
  readonly name: string;
}

function optionsOf(args: readonly string[], { directory }: SyncConsole): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { url: text, key: text, project: text, site: text, out: text },
  });
  const { url = process.env.HEADWATER_URL, key = process.env.HEADWATER_KEY, project, site, out } = values;
  if (!url || !URL.canParse(url))
    throw new Error(`Set the address of the service with --url or HEADWATER_URL.`);
  if (!key) throw new Error('Set a delivery or preview key with --key or HEADWATER_KEY.');
  if (!project || !site || !out) throw new Error(`Name project, site and folder. Usage: ${syncUsage}`);
  const names = [project, site].map((slug) => encodeURIComponent(slug));
  const delivery = `${url.replace(/\/+$/, '')}/api/delivery/projects/${names.join('/sites/')}`;
  const service = { url: delivery, key, environment: undefined, confirmToken: undefined };
  const source = `${project}/${site}`;
  return { api: new ProjectApi(service), source, folder: path.resolve(directory, out), name: out };
}

const RETRIES = 6;
const LONGEST_MILLISECONDS = 60_000;
const passing = ['rate_limit_exceeded', 'service_unavailable'];

function pauseBefore(retry: number, { details }: RefusedCall): number {
  const { retryAfter } = (details ?? {}) as { readonly retryAfter?: unknown };
  const asked = typeof retryAfter === 'number' ? retryAfter * 1000 : 0;
  return Math.min(Math.max(asked, 250 * 2 ** retry), LONGEST_MILLISECONDS);
}

type Page = Readonly<{ data: readonly SyncItem[]; meta: { nextCursor: string; hasMore: boolean } }>;

/** Repeats a call that the service has no room for now. */
async function readPage(api: ProjectApi, cursor: string | null): Promise<Page> {
  const query = new URLSearchParams({ limit: String(limits.syncItems) });
  if (cursor !== null) query.set('cursor', cursor);
  for (let retry = 0; ; retry += 1)
    try {
      return (await (await api.send('GET', `/sync?${query.toString()}`)).json()) as Page;
    } catch (error) {
      if (!(error instanceof RefusedCall) || !passing.includes(error.code) || retry === RETRIES) throw error;
      await delay(pauseBefore(retry, error));
    }
}

/** Whether the cursor is of no use any more: it has expired, or the service has other secrets or another site now. */
function isLost(error: unknown): boolean {
  if (!(error instanceof RefusedCall)) return false;
  if (error.code === 'sync_cursor_expired') return true;
  const { issues = [] } = (error.details ?? {}) as { issues?: readonly { code: string }[] };
  return error.code === 'validation_failed' && issues.some(({ code }) => code === 'invalid_cursor');
}

/** Reads and applies pages until nothing is left. */
async function follow(
  mirror: MirrorFolder,
  api: ProjectApi,
  counts: Record<'written' | 'removed', number>,
): Promise<void> {
  for (let hasMore = true; hasMore;) {
    const { data, meta } = await readPage(api, mirror.cursor);
    await mirror.apply(data, { cursor: meta.nextCursor, hasMore: meta.hasMore });
    counts.written += data.filter(({ op }) => op === 'upsert').length;
    counts.removed += data.filter(({ op }) => op === 'delete').length;
    ({ hasMore } = meta);
  }
}

/**
 * Mirrors a site into a folder (rule publication/sync).
 * @throws Error with one line for people
 */
export async function runSyncCommand(args: readonly string[], console: SyncConsole): Promise<void> {
  const { api, source, folder, name } = optionsOf(args, console);
  const mirror = await MirrorFolder.open(folder, source);
  const counts = { written: 0, removed: 0 };
  try {
    await follow(mirror, api, counts).catch(async (error: unknown) => {
      if (!isLost(error) || mirror.cursor === null) throw error;
      console.print('The cursor has expired. All content is read again.\n');
      await mirror.startOver();
      await follow(mirror, api, counts);
    });
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error;
    throw new Error(`${error.code}: ${error.message}`, { cause: error });
  }
  console.print(
    `${name}: ${String(counts.written)} documents written, ${String(counts.removed)} deletions.\n`,
  );
}

import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect } from '@jest/globals';
import type { Entry } from '../../contracts/entries/entries/entry.js';
import { runImportCommand } from '../../src/cli/import/exports/import-command.js';
import type { ImportLoss } from '../../contracts/editorial/imports/import-job.js';
import type { TestApp } from './app.js';
import { createProject, superAdmin, type TestProject } from './factories/project.js';

/** A sample of the corpus, which may not be beside the checkout. */
export function sampleExport(name: string): { file: string; skipReason: string } {
  const file = fileURLToPath(new URL(`../../../shared/corpus/exports/${name}`, import.meta.url));
  const skipReason = existsSync(file)
    ? ''
    : ` (skipped: shared/corpus/exports/${name} is not beside the checkout)`;
  return { file, skipReason };
}

export interface ImportOutcome {
  readonly code: number;
  /** What the command prints, or its failure. */
  readonly output: string;
  readonly losses: readonly ImportLoss[];
  /** Numbers of a kind: made, changed, same, skipped, lost. */
  counts(kind: string): readonly number[];
}

export interface ImportScene {
  readonly app: TestApp;
  readonly project: TestProject;
  /** By default the session of a super-admin, which keeps dates. */
  readonly key?: string;
}

interface Importing {
  readonly folder: string;
  scene: ImportScene;
}

/** A project and a folder for each test. */
export function useImports(app: () => TestApp): () => Importing {
  let current: Importing | undefined;
  const importing = (): Importing => {
    if (current === undefined) throw new Error('The folder is there inside tests only.');
    return current;
  };
  beforeEach(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'headwater-import-'));
    current = { folder, scene: { app: app(), project: await createProject(app()) } };
  });
  afterEach(() => rm(importing().folder, { recursive: true }));
  return importing;
}

/** Runs `headwater import` for a file. */
export async function importExport(
  { app, project, key }: ImportScene,
  system: string,
  ...[file = '', ...options]: readonly string[]
): Promise<ImportOutcome> {
  let output = '';
  let code = 1;
  const credential = key ?? (await superAdmin(app));
  const args = [
    system,
    file,
    '--url',
    app.baseUrl,
    '--key',
    credential,
    '--project',
    project.slug,
    ...options,
  ];
  const print = (text: string): void => {
    output += text;
  };
  const progress = Object.assign(Object.create(process.stderr), {
    isTTY: false,
    write: () => true,
  }) as typeof process.stderr;
  try {
    code = await runImportCommand(args, { directory: path.dirname(file), print, progress });
  } catch (error) {
    output += (error as Error).message;
  }
  const lines = await readFile(file.replace(/\.[a-z]+$/, '.losses.jsonl'), 'utf8').catch(() => '');
  const losses = lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ImportLoss]));
  const counts = (kind: string): number[] =>
    (new RegExp(`^${kind} +(.*)$`, 'm').exec(output)?.[1] ?? '')
      .split(/ +/)
      .filter((text) => text !== '')
      .map(Number);
  return { code, output, losses, counts };
}

/** Runs an import whose session ends after some batches. */
export async function stoppedAfter(
  batches: number,
  run: () => Promise<ImportOutcome>,
): Promise<ImportOutcome> {
  let left = batches;
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const isBatch = String(input instanceof Request ? input.url : input).endsWith('/entries/batch');
    if (isBatch && (left -= 1) < 0)
      return new Response(JSON.stringify({ error: 'invalid_session', message: 'x' }), { status: 401 });
    return fetch(input, init);
  };
  return run().finally(() => {
    globalThis.fetch = fetch;
  });
}

/** Writes a space of Contentful into the folder of a test, and imports it. */
export function contentfulRuns(importing: () => Importing) {
  const file = (): string => path.join(importing().folder, 'space.json');
  const run = async (content: object | string, ...options: readonly string[]): Promise<ImportOutcome> => {
    await writeFile(file(), typeof content === 'string' ? content : JSON.stringify(content));
    return importExport(importing().scene, 'contentful', file(), ...options);
  };
  return { file, run };
}

/** What was lost of a kind, and where. */
export const whats = ({ losses }: ImportOutcome, kind: string): string[] =>
  losses.filter((loss) => loss.kind === kind).map(({ where, what }) => `${where}: ${what}`);

/** Every entry of a type, as management returns it in a locale, by external id. */
export async function importedEntries(
  { app, project }: ImportScene,
  type: string,
  locale?: string,
): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>();
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { status, body } = await app.request
      .get(`${project.management}/entries`)
      .set('authorization', `Bearer ${project.keys.management}`)
      .query({ contentTypeApiName: type, limit: 100, page, ...(locale && { locale }) });
    expect([status, body]).toEqual([200, expect.anything()]);
    const { data, meta } = body as { data: Entry[]; meta: { pages: number } };
    for (const entry of data) found.set(entry.externalId ?? entry.id, entry);
    last = meta.pages;
  }
  return found;
}

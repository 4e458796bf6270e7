import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { OperationsClient } from '../../src/cli/client/operations-client.js';
import { importPages } from '../../src/cli/import/import-pages.js';
import { verifies } from '../support/verifies.js';
import { filled } from '../support/filled-xliff.js';
import { constraintErrors, schemaErrors } from '../support/xliff.js';
import { hasXliffSchema } from '../support/optional-servers.js';
import { adminOf, openCliHost, type CliHost } from './cli-host.js';
import { linesOf } from './page-routes.js';

const handbook = fileURLToPath(new URL('../../../shared/corpus/handbook', import.meta.url));
const hasCorpus = existsSync(handbook);
const skipReason = hasCorpus ? '' : ' (skipped: shared/corpus/handbook is not beside the checkout)';
const testWithCorpus = hasCorpus ? test : test.skip;
const projectSlug = 'handbook';
const progress = { start: () => undefined, advance: () => undefined, stop: () => undefined };
/** Tags of which the chosen pages have at least one each. */
const shapes = ['img', 'table', 'pre', 'dl', 'strong', 'em', 'code', 'ol', 'ul', 'sup', 'h4', 'h5'];

interface Line {
  readonly key: string;
  readonly parent: string | null;
  readonly locale: string;
  readonly slug: string;
  readonly html: string;
  readonly images?: readonly { readonly file: string }[];
}

verifies('translations/xliff', 'translations/xliff-of-published-source');

/** The shortest page of each shape, and the longest page. */
function chosen(lines: readonly Line[]): Line[] {
  const byLength = lines
    .filter(({ locale }) => locale === 'en-US')
    .sort((one, other) => one.html.length - other.html.length);
  const shortest = shapes.map((tag) => byLength.find(({ html }) => html.includes(`<${tag}`)));
  return [...new Set([...shortest, byLength.at(-1)])].filter((line) => line !== undefined);
}

/** The folder of an import: English pages, and one German page so that the site has the locale. */
async function prepare(folder: string, lines: readonly Line[]): Promise<Line[]> {
  const pages = chosen(lines);
  const other = lines.filter(({ locale }) => locale === 'de-DE').slice(0, 1);
  const flat = [...pages, ...other].map((line, position) => ({ ...line, parent: null, position }));
  await writeFile(path.join(folder, 'pages.jsonl'), flat.map((line) => JSON.stringify(line)).join('\n'));
  await mkdir(path.join(folder, 'images'));
  const files = new Set(flat.flatMap(({ images = [] }) => images.map(({ file }) => file)));
  for (const file of files)
    await symlink(path.join(handbook, 'images', file), path.join(folder, 'images', file));
  return pages;
}

let host: CliHost;
let client: OperationsClient;
let folder: string;
let pages: Line[];

beforeAll(async () => {
  if (!hasCorpus) return;
  host = await openCliHost();
  client = await adminOf(host);
  folder = await mkdtemp(path.join(tmpdir(), 'headwater-handbook-'));
  pages = await prepare(folder, await linesOf<Line>(path.join(handbook, 'pages.jsonl')));
  const file = path.join(folder, 'pages.jsonl');
  const destination = { project: projectSlug, site: 'main' };
  const report = await importPages({
    client,
    file,
    destination,
    isPublishing: true,
    concurrency: 4,
    progress,
  });
  expect(report.problems).toEqual(new Map());
}, 120_000);

afterAll(async () => {
  if (!hasCorpus) return;
  await host.close();
  await rm(folder, { recursive: true });
});

testWithCorpus(
  `exports handbook pages to valid files, and imports them without a difference${skipReason}`,
  async () => {
    const { data } = await client.call('entries', 'list', { projectSlug, limit: 100, locale: 'en-US' });
    const ids = data.filter(({ fields }) => pages.some(({ key }) => key === fields.key)).map(({ id }) => id);
    expect(ids).toHaveLength(pages.length);
    const files: Record<string, string> = {};
    for (const entryId of ids) {
      const target = { projectSlug, entryId, locale: 'de-DE' };
      const { xliff, fileName } = (await client.call('translations', 'export', target)).data;
      const translated = filled(xliff);
      Object.assign(files, { [fileName]: xliff, [`de-${fileName}`]: translated });
      expect(constraintErrors(translated)).toEqual([]);
      const report = (await client.call('translations', 'import', { ...target, xliff: translated })).data;
      expect(report.units.filter(({ outcome }) => outcome !== 'applied')).toEqual([]);
      const of = async (locale: string) => {
        const { title, body } = (await client.call('entries', 'get', { projectSlug, id: entryId, locale }))
          .data.fields;
        return JSON.stringify({ title, body });
      };
      expect(await of('de-DE')).toBe(await of('en-US'));
    }
    if (hasXliffSchema) expect(await schemaErrors(files)).toEqual([]);
  },
  120_000,
);

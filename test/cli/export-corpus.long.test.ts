import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RestOperations } from '../../src/cli/client/rest-operations.js';
import { runDiffCommand } from '../../src/cli/export/diff-exports.js';
import { runExportCommand } from '../../src/cli/export/export-command.js';
import { runProjectImport } from '../../src/cli/export/import-project.js';
import { importPages } from '../../src/cli/import/import-pages.js';
import { expectEqualDelivery } from '../support/delivered.js';
import { outputOf, silent } from '../support/demo-export.js';
import { importExport } from '../support/export-import.js';
import { createProject, superAdmin } from '../support/factories/project.js';
import { adminOf, openCliHost, type CliHost } from './cli-host.js';

const corpus = fileURLToPath(new URL('../../../shared/corpus', import.meta.url));
const hasCorpus = existsSync(corpus);
const skipReason = hasCorpus ? '' : ' (skipped: shared/corpus is not beside the checkout)';
const testWithCorpus = hasCorpus ? test : test.skip;

let source: CliHost;
let target: CliHost;
let folder: string;

beforeAll(async () => {
  if (!hasCorpus) return;
  source = await openCliHost();
  target = await openCliHost();
  folder = await mkdtemp(path.join(tmpdir(), 'headwater-corpus-'));
}, 120_000);
afterAll(async () => {
  if (!hasCorpus) return;
  await source.close();
  await target.close();
  await rm(folder, { recursive: true });
});

/** @returns the slug of the project */
async function loadExport(system: string, sample: string, file: string): Promise<string> {
  const copy = path.join(folder, system);
  await cp(path.join(corpus, 'exports', system, sample), copy, { recursive: true });
  const project = await createProject(source);
  const { code } = await importExport({ app: source, project }, system, path.join(copy, file));
  expect(code).toBe(0);
  return project.slug;
}

/** @returns the slug of the project */
async function loadPages(project: string, file: string): Promise<string> {
  const report = await importPages({
    client: await adminOf(source),
    file: path.join(corpus, file),
    destination: { project, site: 'main' },
    isPublishing: true,
    concurrency: 6,
    progress: { start: () => undefined, advance: () => undefined, stop: () => undefined },
  });
  expect(report.problems).toEqual(new Map());
  return project;
}

/** Exports a project, imports it into the other service and compares both. */
async function expectRoundTrip(slug: string): Promise<void> {
  const keys = { source: await superAdmin(source), target: await superAdmin(target) };
  const console = { directory: folder, progress: silent };
  const was = new RestOperations(source.baseUrl, keys.source);
  const is = new RestOperations(target.baseUrl, keys.target);
  const write = (host: CliHost, key: string, out: string) =>
    outputOf((print) =>
      runExportCommand(['--url', host.baseUrl, '--key', key, '--project', slug, '--out', out], {
        ...console,
        print,
      }),
    );
  await write(source, keys.source, slug);
  const { data: locales } = await was.call('locales', 'list', { projectSlug: slug });
  const { code = 'en', name = 'English' } = locales.find(({ isDefault }) => isDefault) ?? {};
  const tenant = { slug: `of-${slug}`, name: slug, locales: [{ code, name }], defaultLocale: code };
  await is.call('tenants', 'create', { ...tenant, project: { slug: `first-${slug}`, name: 'First' } });
  const service = ['--url', target.baseUrl, '--key', keys.target, '--tenant', tenant.slug];
  const output = await outputOf((print) =>
    runProjectImport([slug, ...service], { ...console, print }).then((exit) => print(`exit ${String(exit)}`)),
  );
  expect(output).toMatch(/exit 0$/);
  await write(target, keys.target, `${slug}-again`);
  const compared = await outputOf((print) => runDiffCommand([slug, `${slug}-again`], { ...console, print }));
  expect(compared).toBe('No differences.\n');
  for (const { composition } of [source, target]) await composition.jobs.indexSearch();
  const projectSlug = slug;
  const answers = await expectEqualDelivery(
    { client: was, baseUrl: source.baseUrl, projectSlug },
    { client: is, baseUrl: target.baseUrl, projectSlug },
  );
  expect(answers).toBeGreaterThan(20);
}

testWithCorpus.each([
  [
    'a space of Contentful',
    () => loadExport('contentful', 'with-assets', 'space-with-downloaded-assets.json'),
  ],
  ['posts of WordPress', () => loadExport('wordpress', '.', 'theme-unit-test-data.xml')],
  ['a FAQ in ten languages', () => loadPages('debian-faq', 'debian-faq.jsonl')],
  ['a handbook with pictures', () => loadPages('handbook', path.join('handbook', 'pages.jsonl'))],
])(
  `A project with %s is delivered equally by the service into which its export is imported${skipReason}`,
  async (_, load) => {
    await expectRoundTrip(await load());
  },
  1_800_000,
);

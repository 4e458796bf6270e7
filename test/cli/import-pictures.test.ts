import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '../../contracts/errors.js';
import { newLogin, openAdminSession } from '../../src/cli/client/admin-session.js';
import type { OperationsClient } from '../../src/cli/client/operations-client.js';
import { importPages } from '../../src/cli/import/import-pages.js';
import { type ImportReport, summarize } from '../../src/cli/import/import-run.js';
import { png } from '../support/factories/media.js';
import { verifies } from '../support/verifies.js';
import { adminOf, openCliHost, type CliHost } from './cli-host.js';

verifies('media/import');

let host: CliHost;
let client: OperationsClient;
let folder: string;

/** Pictures by file; the keys are letters, so that lines are easy to read. */
const files = { both: 'a.png', english: 'b.png', german: 'c.png', mark: 'd.png' };

const picture = (file: string, alt: string) => ({ src: `images/${file}`, file, alt });
const img = ({ src, alt }: { src: string; alt: string }): string => `<img src="${src}" alt="${alt}">`;

const shown = {
  en: [picture(files.both, 'A lock'), picture(files.english, 'Its gate'), picture(files.mark, '1')],
  de: [picture(files.both, 'Eine Schleuse'), picture(files.german, 'Ihr Tor'), picture(files.mark, '1')],
};

function line(locale: 'en' | 'de', more: object = {}): object {
  const [lock, gate, mark] = shown[locale].map(img);
  const html = [
    `<p>Text</p><div>${lock ?? ''}</div><p><a href="#top">${gate ?? ''}</a> </p>`,
    `<pre>open <span>${mark ?? ''}</span></pre>`,
  ].join('');
  const place = { key: 'lock', parent: null, position: 0, locale, slug: 'lock', title: 'Lock' };
  return { ...place, html, links: [], images: shown[locale], ...more };
}

const run = (project: string, ...lines: object[]) => runAs(client, project, lines);

async function runAs(
  client: OperationsClient,
  project: string,
  lines: readonly object[],
): Promise<ImportReport> {
  const file = path.join(folder, `${project}.jsonl`);
  await writeFile(file, lines.map((one) => JSON.stringify(one)).join('\n'));
  const progress = { start: () => undefined, advance: () => undefined, stop: () => undefined };
  const options = { client, file, isPublishing: true, concurrency: 2, progress };
  return importPages({ ...options, destination: { project, site: 'main' } });
}

const change = (pictures: Partial<ImportReport['pictures']>) => ({
  uploaded: 0,
  known: 0,
  texts: 0,
  problems: new Map(),
  ...pictures,
});

interface Delivered {
  readonly fields: {
    readonly body: { readonly html: string };
    readonly pictures: readonly { readonly url: string; readonly altText: string }[] | null;
  };
}

async function page(project: string, locale: string): Promise<Delivered> {
  const response = await host.request
    .get(`/api/delivery/projects/${project}/sites/main/routes`)
    .query({ path: '/lock', locale, include: 1 });
  expect(response.status).toBe(200);
  return (response.body as { data: { entry: Delivered } }).data.entry;
}

beforeAll(async () => {
  host = await openCliHost();
  client = await adminOf(host);
  folder = await mkdtemp(path.join(tmpdir(), 'headwater-import-'));
  await mkdir(path.join(folder, 'images'));
  for (const file of Object.values(files)) await writeFile(path.join(folder, 'images', file), png());
});

afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

/** A client whose first calls of each of these operations fail, and the pauses that it makes. */
async function busyClient(failures: readonly AppError[]) {
  const { services, operations } = host.composition;
  const busy = new Set(['media.upload', 'media.list', 'entries.batch']);
  const faulty = operations.map((operation) => {
    const left = busy.has(operation.name) ? [...failures] : [];
    const attempt: typeof operation.call = (...given) => {
      const failure = left.shift();
      return failure === undefined ? operation.call(...given) : Promise.reject(failure);
    };
    return { ...operation, call: attempt };
  });
  const pauses: number[] = [];
  const keep = () => Promise.resolve();
  const opened = await openAdminSession({
    host: { services, operations: faulty },
    command: 'test',
    login: newLogin(),
    keep,
  });
  const pause = (milliseconds: number) => Promise.resolve(pauses.push(milliseconds));
  return { client: opened.client.retrying(pause), pauses };
}

describe('The import of pages with pictures', () => {
  it('shows the pictures of each locale with its alternative texts in delivered pages', async () => {
    const report = await run('pictures', line('en'), line('de'));
    expect(report.problems).toEqual(new Map());
    expect(report.pictures).toEqual(change({ uploaded: 4, texts: 6 }));
    for (const locale of ['en', 'de'] as const) {
      const { fields } = await page('pictures', locale);
      expect(fields.pictures?.map(({ altText }) => altText)).toEqual(shown[locale].map(({ alt }) => alt));
      const figures = (fields.pictures ?? [])
        .slice(0, 2)
        .map(({ url, altText }) => `<img src="${url}" alt="${altText}" width="3" height="2"></figure>`);
      const [lock = '', gate = ''] = figures;
      // An embed is a block: the paragraph and the link that hold nothing else are left out.
      expect(fields.body.html.replaceAll(/<figure [^>]*>/g, '')).toBe(
        `<p>Text</p>${lock}${gate}<pre><code>open 1</code></pre>`,
      );
      const file = await host.request.get(fields.pictures?.[0]?.url ?? '');
      expect([file.status, file.type]).toEqual([200, 'image/png']);
    }
  });

  it('changes nothing when it is repeated', async () => {
    const events = async () => {
      const { data } = await client.call('audit', 'listEvents', { projectSlug: 'pictures', limit: 1 });
      return data[0]?.id;
    };
    const before = await events();
    const report = await run('pictures', line('en'), line('de'));
    expect(report.pictures).toEqual(change({ known: 4 }));
    expect(report.versions).toEqual({ created: 0, updated: 0, unchanged: 2, published: 0 });
    expect(await events()).toBe(before);
  });

  it('writes a changed text without a new version of the page, and a changed list with one', async () => {
    const texts = [picture(files.both, 'A sluice'), ...shown.en.slice(1)];
    const first = await run('pictures', line('en', { images: texts }), line('de'));
    expect(first.pictures).toEqual(change({ known: 4, texts: 1 }));
    expect(first.versions.unchanged).toBe(2);
    expect((await page('pictures', 'en')).fields.pictures?.[0]?.altText).toBe('A sluice');
    const second = await run('pictures', line('en', { images: [], html: '<p>Text</p>' }), line('de'));
    expect(second.versions).toMatchObject({ updated: 1, unchanged: 1, published: 1 });
    expect((await page('pictures', 'en')).fields.pictures).toEqual([]);
  });

  it('reports pictures that cannot be stored and imports the pages without them', async () => {
    await writeFile(path.join(folder, 'images', 'page.html'), '<!doctype html><script>1</script>');
    const images = [...shown.en.slice(0, 1), picture('page.html', 'x'), picture('missing.png', 'y')];
    const report = await run('lacking', line('en', { images, html: images.map(img).join('') }));
    expect(report.problems).toEqual(new Map());
    expect(report.pictures).toMatchObject({ uploaded: 1, known: 0 });
    expect([...report.pictures.problems]).toEqual(
      expect.arrayContaining([
        ['page.html', expect.stringMatching(/^unsupported_file_type: /)],
        ['missing.png', 'the file cannot be read: no such file'],
      ]),
    );
    expect(summarize(report)).toContain('Failures:            2\n  picture ');
    expect((await page('lacking', 'en')).fields.pictures).toHaveLength(1);
  });

  it('reads no files outside the folder of the pictures', async () => {
    const outside = ['../a.png', '/etc/passwd', '..', '.', '', 'a\\b', 'a\u0000'];
    const lines = outside.map((file, index) =>
      line('en', { key: String(index), slug: String(index), images: [picture(file, 'x')] }),
    );
    const report = await run('outside', ...lines);
    expect([...report.problems.keys()]).toEqual(outside.map((_, index) => index + 1));
    expect([...report.problems.values()].every((reason) => reason.startsWith('images.0.file'))).toBe(true);
  });

  it('repeats what fails with 503, or with 429 after the time that it names', async () => {
    const failures = [
      new AppError('service_unavailable'),
      new AppError('storage_unavailable'),
      new AppError('rate_limit_exceeded', { limit: 1, windowSeconds: 60, retryAfter: 7 }),
    ];
    const { client: patient, pauses } = await busyClient(failures);
    const report = await runAs(patient, 'busy', [line('en'), line('de')]);
    expect([report.problems, report.pictures.problems]).toEqual([new Map(), new Map()]);
    expect(report.pictures).toMatchObject({ uploaded: 4, texts: 6 });
    expect(report.versions).toMatchObject({ created: 2, published: 2 });
    expect(pauses.filter((pause) => pause === 7000).length).toBeGreaterThan(1);
    expect(Math.max(...pauses)).toBe(7000);
  });

  it('reports what keeps failing after a few attempts', async () => {
    const attempts = 1000;
    const { client: patient, pauses } = await busyClient(
      Array.from({ length: attempts }, () => new AppError('service_unavailable')),
    );
    const report = await runAs(patient, 'down', [line('en', { images: [], html: '<p>Text</p>' })]);
    expect([...report.problems.values()]).toEqual([expect.stringMatching(/^service_unavailable: /)]);
    expect(pauses.length).toBeGreaterThan(1);
    expect(pauses.length).toBeLessThan(50);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(60_000);
  });
});

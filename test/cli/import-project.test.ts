import { appendFile, readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RestOperations } from '../../src/cli/client/rest-operations.js';
import { runDiffCommand } from '../../src/cli/export/diff-exports.js';
import { runExportCommand } from '../../src/cli/export/export-command.js';
import { runProjectImport } from '../../src/cli/export/import-project.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectEqualDelivery } from '../support/delivered.js';
import { linesOf, outputOf, silent, useDemoExport } from '../support/demo-export.js';
import { superAdmin } from '../support/factories/project.js';

const demo = useDemoExport();
let other: TestApp;
let target: RestOperations;
let key: string;
/** Of the export. */
let versions: number;

/** @returns what the command prints, or its failure */
const run = (place: string, ...options: readonly string[]): Promise<string> =>
  outputOf((print) => {
    const args = [place, '--url', other.baseUrl, '--key', key, ...options];
    return runProjectImport(args, { directory: demo().folder, print, progress: silent });
  });

beforeAll(async () => {
  other = await startTestApp();
  key = await superAdmin(other);
  versions = (await linesOf(demo().sample, 'history.jsonl')).length;
  target = new RestOperations(other.baseUrl, key);
  const locales = [{ code: 'en', name: 'English' }];
  await target.call('tenants', 'create', {
    slug: 'trust',
    name: 'Trust',
    locales,
    defaultLocale: 'en',
    project: { slug: 'first', name: 'First' },
  });
}, 120_000);
afterAll(() => other.close());

/** What a run reports of a kind: made, changed, same, skipped, lost. */
const counts = (output: string, kind: string): string =>
  new RegExp(`^${kind} +(.*)$`, 'm').exec(output)?.[1]?.replaceAll(/ +/g, ' ') ?? '';

/** Changes that a project has records of. */
async function records(projectSlug: string): Promise<number> {
  const { data } = await target.call('audit', 'listEvents', { projectSlug, limit: 1 });
  const [last] = data;
  const all: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await target.call('audit', 'listEvents', { projectSlug, limit: 100, cursor });
    all.push(...page.data.map(({ id }) => id));
    cursor = page.meta.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return last === undefined ? 0 : all.length;
}

/** The service in between fails after some calls. */
async function stopped(calls: number, ...options: readonly string[]): Promise<string> {
  let left = calls;
  const proxy = http.createServer((request, response) => {
    left -= 1;
    if (left < 0) {
      request.socket.destroy();
      return;
    }
    const { pathname, search } = new URL(request.url ?? '/', other.baseUrl);
    const { method, headers } = request;
    const sent = http.request(`${other.baseUrl}${pathname}${search}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(sent);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`;
  const output = await outputOf((print) =>
    runProjectImport(['sample', '--url', url, '--key', key, ...options], {
      directory: demo().folder,
      print,
      progress: silent,
    }),
  );
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
  return output;
}

/** Compares everything that two services deliver. */
async function expectEqual(projectSlug: string): Promise<void> {
  const { client, host } = demo();
  for (const { composition } of [host, other]) await composition.jobs.indexSearch();
  const was = { client, baseUrl: host.baseUrl, projectSlug: 'demo' };
  const is = { client: target, baseUrl: other.baseUrl, projectSlug };
  expect(await expectEqualDelivery(was, is)).toBeGreaterThan(500);
}

describe('An import of the demo into another service', () => {
  let first: string;

  beforeAll(async () => {
    first = await run('sample', '--tenant', 'trust');
  }, 120_000);

  it('makes everything, and reports what cannot be kept', async () => {
    const kinds = ['locale', 'type', 'asset', 'entry', 'version', 'redirect', 'other'];
    expect(kinds.map((kind) => `${kind} ${counts(first, kind)}`)).toEqual([
      'locale 2 0 1 0 0',
      'type 7 0 0 0 0',
      'asset 13 0 0 0 1',
      'entry 21 0 0 0 1',
      `version ${String(versions)} 0 0 0 0`,
      'redirect 4 0 0 0 1',
      'other 4 0 0 0 0',
    ]);
    const losses = await readFile(`${demo().sample}.losses.jsonl`, 'utf8');
    expect(losses).toContain('assignees, approvals, comments and deadlines');
  });

  it('delivers equal entries, lists, routes, trees, redirects and sitemaps', async () => {
    await expectEqual('demo');
  }, 120_000);

  it('differs from its export in an assignee only', async () => {
    const { folder } = demo();
    const console = { directory: folder, progress: silent };
    const place = ['--url', other.baseUrl, '--key', key, '--project', 'demo', '--out', 'copy'];
    await outputOf((print) => runExportCommand(place, { ...console, print }));
    const found = await outputOf((print) => runDiffCommand(['sample', 'copy'], { ...console, print }));
    expect(found).toBe('~ entry article notes-for-a-spring-walk: isAssigned\n1 difference.\n');
  });

  it('keeps drafts, states, workflows and roles', async () => {
    const { client } = demo();
    const of = { projectSlug: 'demo' };
    for (const locale of ['en', 'de', 'fr']) {
      const list = { ...of, locale, limit: 100, orderBy: 'createdAt:asc' } as const;
      const was = (await client.call('entries', 'list', list)).data;
      const is = (await target.call('entries', 'list', list)).data;
      const shown = (entries: typeof was) =>
        entries
          .map(({ slug, createdAt, createdBy, workflow, locales, fields }) => ({
            slug,
            createdAt,
            by: createdBy.name,
            workflow,
            fields: Object.keys(fields).sort(),
            title: fields.title,
            states: locales.map(({ locale: code, status, publishedAt }) => [code, status, publishedAt]),
          }))
          .sort((one, two) => (one.slug < two.slug ? -1 : 1));
      expect(shown(is)).toEqual(shown(was));
    }
    const schema = (await target.call('schema', 'export', of)).data;
    expect(schema).toEqual((await client.call('schema', 'export', of)).data);
  });

  it('changes nothing the second time', async () => {
    const before = await records('demo');
    const second = await run('sample');
    const kinds = ['locale', 'type', 'asset', 'entry', 'version', 'redirect', 'other'];
    expect(kinds.map((kind) => `${kind} ${counts(second, kind)}`)).toEqual([
      'locale 0 0 3 0 0',
      'type 0 0 7 0 0',
      'asset 0 0 13 0 1',
      'entry 0 0 21 0 1',
      `version 0 0 ${String(versions)} 0 0`,
      'redirect 0 0 4 0 1',
      'other 0 0 4 0 0',
    ]);
    expect(await records('demo')).toBe(before);
  });

  it('writes what has changed in the project back', async () => {
    const list = { projectSlug: 'demo', locale: 'en', limit: 100 } as const;
    const { data } = await target.call('entries', 'list', {
      ...list,
      contentTypeApiName: ['article'],
      status: ['published'],
    });
    const [article] = data;
    const { id = '', version = 0 } = article ?? {};
    const fields = { title: 'Changed', callouts: [] };
    await target.call('entries', 'update', { projectSlug: 'demo', id, version, locale: 'en', fields });
    await target.call('entries', 'publish', { projectSlug: 'demo', id, locale: 'en' }).catch(() => undefined);
    expect(counts(await run('sample'), 'entry')).toBe('0 1 20 0 1');
    await expectEqual('demo');
  }, 120_000);
});

describe('An import that is stopped', () => {
  it('is continued with --resume, and makes everything once', async () => {
    for (const calls of [5, 40, 60]) {
      const output = await stopped(calls, '--into', 'resumed', '--tenant', 'trust', '--resume');
      expect(output).toContain('cannot be reached');
    }
    const output = await run('sample', '--into', 'resumed', '--resume');
    expect(output).toContain('Losses: ');
    await expectEqual('resumed');
  }, 120_000);
});

describe('An import of a project', () => {
  it('changes nothing in a dry run', async () => {
    const before = await records('first');
    const output = await run('sample', '--into', 'first', '--dry-run');
    expect(output).toContain('Nothing was changed.');
    expect(counts(output, 'entry')).toBe('21 0 0 0 1');
    expect(counts(output, 'version')).toBe(`${String(versions)} 0 0 0 0`);
    expect(await records('first')).toBe(before);
  });

  it('needs a tenant to make a project', async () => {
    expect(await run('sample', '--into', 'absent')).toContain(
      'The project absent does not exist. Create it, or name its tenant with --tenant.',
    );
  });

  it('leaves out links to what a partial export lacks, and names them', async () => {
    await demo().run('partial', '--type', 'article');
    const output = await run('partial', '--into', 'parts', '--tenant', 'trust');
    expect(counts(output, 'entry')).toMatch(/^6 0 0 0 /);
    const losses = await readFile(`${demo().folder}/partial.losses.jsonl`, 'utf8');
    expect(losses).toMatch(/"what":"a link","why":"The project has no entry or asset/);
  });

  it('of a damaged export sends nothing', async () => {
    await demo().run('torn');
    await appendFile(`${demo().folder}/torn/tree.jsonl`, '{}\n');
    const before = await records('first');
    expect(await run('torn', '--into', 'first')).toMatch(/torn: tree\.jsonl has changed since the export\.$/);
    expect(await records('first')).toBe(before);
  });
});

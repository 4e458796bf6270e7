import { describe, expect, it } from '@jest/globals';
import { systemScope } from '../../src/persistence/work/unit-of-work.js';
import { checkEnvironment, rebuildEnvironment } from '../../src/cli/rebuild/visit-environment.js';
import { EnvironmentListRepository } from '../../src/features/environments/catalog/index.js';
import { SearchIndexer } from '../../src/features/insight/search/index.js';
import { must } from '../support/call.js';
import { useOwnApp } from '../support/desk.js';
import { uploadAsset } from '../support/factories/media.js';
import { createProject } from '../support/factories/project.js';
import { createLivePage, createPageType } from '../support/factories/tree.js';
import { verifies } from '../support/verifies.js';

const app = useOwnApp();

/** Two live pages, one below the other, with the project's environment. */
async function scene() {
  const project = await createProject(app());
  await createPageType(app(), project);
  const parent = await createLivePage(app(), project, { slug: 'a' });
  const child = await createLivePage(app(), project, { slug: 'b', treeParentId: parent.treeNodeId });
  const { units } = app().composition.services;
  const request = { scope: systemScope({ command: 'test' }), isReadOnly: true, lock: 'none' } as const;
  const heads = await units.run(request, (work) => work.use(EnvironmentListRepository).all());
  const head = heads.find(({ projectSlug }) => projectSlug === project.slug);
  if (head === undefined) throw new Error('the command does not see the project');
  const tamper = (sql: string) => app().rows(project.tenantId, sql, [child.id]);
  const change = (method: 'POST' | 'PUT', path: string, body: object) =>
    must(app(), { method, path: `${project.management}${path}`, key: project.keys.management, body });
  return { head, units, project, child, tamper, change };
}

describe('The rebuild command', () => {
  it('finds no difference with --check after ordinary operations', async () => {
    const { head, units } = await scene();
    const { isOk, lines } = await checkEnvironment(units, head);
    expect(isOk).toBe(true);
    expect(lines).toEqual([
      `${head.projectSlug}/main: no differences; 2 documents compared, 0 of them with newer drafts.`,
    ]);
  });

  it('names each different route with --check and rebuilds it without', async () => {
    const { head, units, child, tamper } = await scene();
    await tamper("UPDATE routes SET path = '/elsewhere' WHERE entry_id = $1 AND locale = 'en'");
    for (const _run of ['first', 'second']) {
      const { isOk, lines } = await checkEnvironment(units, head);
      expect(isOk).toBe(false);
      expect(lines[0]).toBe(
        `  route en of ${child.id}: /elsewhere own live listed, should be /a/b own live listed`,
      );
    }
    expect((await rebuildEnvironment(units, head)).isOk).toBe(true);
    expect((await checkEnvironment(units, head)).isOk).toBe(true);
  });

  it('names documents of the search index that differ, and a reindex repairs them', async () => {
    const { head, units, child, tamper } = await scene();
    const { jobs, services } = app().composition;
    await jobs.indexSearch();
    expect((await checkEnvironment(units, head)).isOk).toBe(true);
    await tamper("DELETE FROM search_documents WHERE entry_id = $1 AND stage = 'live'");
    await tamper("UPDATE search_documents SET hash = 'x' WHERE entry_id = $1 AND stage = 'draft'");
    const { lines } = await checkEnvironment(units, head);
    expect(lines.slice(0, 2).sort()).toEqual([
      `  search document draft ${child.id} en: differs from the content`,
      `  search document live ${child.id} en: missing`,
    ]);
    const indexer = new SearchIndexer({
      units,
      index: services.search.index,
      makesVectors: false,
      onError: () => undefined,
    });
    const steps: number[] = [];
    const progress = { start: (total: number) => steps.push(total), advance: () => steps.push(1) };
    expect(await indexer.rebuild(head, progress)).toBe(2);
    expect(steps).toEqual([2, 1, 1]);
    expect((await checkEnvironment(units, head)).isOk).toBe(true);
  });

  it('names states that a workflow does not have, and wrong counts by state, with --check', async () => {
    const { head, units, child, tamper } = await scene();
    await tamper("UPDATE entry_locales SET workflow_state = 'gone' WHERE entry_id = $1");
    expect((await checkEnvironment(units, head)).lines[0]).toBe(
      `  state of ${child.id}: default has no state gone`,
    );
    await tamper("UPDATE entry_locales SET workflow_state = 'in_review' WHERE entry_id = $1");
    expect((await checkEnvironment(units, head)).isOk).toBe(true);
    await tamper(
      `UPDATE entry_counts SET entries = entries + 1 WHERE workflow_state = 'in_review' AND environment_id =
         (SELECT environment_id FROM entries WHERE id = $1)`,
    );
    const { lines } = await checkEnvironment(units, head);
    expect(lines.filter((line) => line.includes('in_review')).length).toBeGreaterThan(0);
  });

  const environment = '(SELECT environment_id FROM entries WHERE id = $1)';
  const changeCount = (table: string, rows: string) =>
    `UPDATE ${table} SET entries = entries + 3 WHERE ctid = (SELECT min(ctid) FROM ${table}
       WHERE environment_id = ${environment} AND entries > 0 AND ${rows})`;

  const corruptions = [
    ['a count by state', changeCount('entry_counts', "workflow_state = 'in_review'")],
    ['a count without its state', changeCount('entry_counts', "workflow_state = '' AND locale = ''")],
    ['a lost count', `DELETE FROM entry_counts WHERE environment_id = ${environment}`],
    ['a count of documents', changeCount('published_counts', 'true')],
    ['a count of translations', changeCount('translation_counts', "locale = 'de' AND status = 'stale'")],
    [
      'a count of translated entries',
      changeCount('translation_counts', "locale = '' AND status = 'missing,stale'"),
    ],
    ['a lost count of translations', `DELETE FROM translation_counts WHERE environment_id = ${environment}`],
    ['a deleted translation', 'UPDATE translations SET is_deleted = true WHERE entry_id = $1'],
    [
      'names of translated fields',
      "UPDATE translations SET names = '{gone}' WHERE entry_id = $1 AND is_written",
    ],
    ['fields that are not outdated', "UPDATE translations SET outdated = '{}' WHERE entry_id = $1"],
    ['a lost source', 'DELETE FROM translation_sources WHERE entry_id = $1'],
    ['names of the source', "UPDATE translation_sources SET names = '{}' WHERE entry_id = $1"],
    ['hashes of the published source', "UPDATE translation_sources SET hashes = '{}' WHERE entry_id = $1"],
    ['a state that no workflow has', "UPDATE entry_locales SET workflow_state = 'gone' WHERE entry_id = $1"],
    [
      'locales in different states',
      "UPDATE entry_locales SET workflow_state = 'approved' WHERE entry_id = $1 AND locale = 'de'",
    ],
  ] as const;
  /** What these destroy was known there only. */
  const losses = [
    ['a lost translation', 'DELETE FROM translations WHERE entry_id = $1'],
    [
      'a written translation that is missing',
      'UPDATE translations SET is_written = false WHERE entry_id = $1',
    ],
    [
      'a locale that the site does not have',
      "UPDATE translations SET locale = 'xx' WHERE entry_id = $1 AND locale = 'fr'",
    ],
  ] as const;

  it('names each wrong state, translation and counter with --check and repairs it without', async () => {
    const { head, units, child, tamper, change } = await scene();
    const path = `/entries/${child.id}`;
    await change('PUT', path, { version: 1, locale: 'de', fields: { title: 'Seite' } });
    await change('POST', `${path}/publish`, { locale: 'de' });
    await change('PUT', path, { version: 2, locale: 'en', fields: { title: 'Other' } });
    await change('POST', `${path}/publish`, { locale: 'en' });
    await change('POST', `${path}/workflow`, { to: 'in_review' });
    const found = async () => (await checkEnvironment(units, head)).lines.slice(0, -1);
    const statuses = () =>
      tamper('SELECT locale, status, outdated FROM translations WHERE entry_id = $1 ORDER BY locale');
    const before = await statuses();
    expect(before).toMatchObject([{ status: 'stale', outdated: ['title'] }, { status: 'missing' }]);
    for (const [name, corruption] of [...corruptions, ...losses]) {
      expect([name, await found()]).toEqual([name, []]);
      await tamper(corruption);
      expect([name, (await found()).length > 0]).toEqual([name, true]);
      await rebuildEnvironment(units, head);
      expect([name, await found()]).toEqual([name, []]);
      if (corruptions.some(([kept]) => kept === name))
        expect([name, await statuses()]).toEqual([name, before]);
    }
  }, 120_000);

  it('names different, missing and surplus documents with --check', async () => {
    const { head, units, child, tamper } = await scene();
    const problem = async () =>
      (await checkEnvironment(units, head)).lines.find((line) => line.includes('document en'));
    await tamper(`UPDATE published_entries SET fields = fields || '{"title": "Other"}' WHERE entry_id = $1`);
    expect(await problem()).toBe(`  document en of ${child.id}: differs`);
    await tamper(`UPDATE published_entries SET fields = fields || '{"title": "Page b"}' WHERE entry_id = $1`);
    expect(await problem()).toBeUndefined();
    await rebuildEnvironment(units, head);
    const guard = (verb: 'DISABLE' | 'ENABLE') =>
      app().rows(null, `ALTER TABLE published_entries ${verb} TRIGGER refuse_other_text`);
    for (const change of ["replace(body, 'Page', 'Pages')", "'wrong' || body", "''"]) {
      await guard('DISABLE');
      await tamper(`UPDATE published_entries SET body = ${change} WHERE entry_id = $1`);
      await guard('ENABLE');
      expect(await problem()).toBe(`  document en of ${child.id}: text differs`);
      await rebuildEnvironment(units, head);
      expect(await problem()).toBeUndefined();
    }
    await tamper('UPDATE entry_locales SET published_at = NULL WHERE entry_id = $1');
    expect(await problem()).toBe(`  document en of ${child.id}: left over`);
    await tamper('UPDATE entry_locales SET published_at = now() WHERE entry_id = $1');
    await tamper('DELETE FROM published_entries WHERE entry_id = $1');
    expect(await problem()).toBe(`  document en of ${child.id}: missing`);
  });

  it('compares documents that have newer drafts with the version that was published', async () => {
    const { head, units, child, tamper, change } = await scene();
    await change('PUT', `/entries/${child.id}`, { version: 1, fields: { title: 'Newer' }, slug: 'newer' });
    expect((await checkEnvironment(units, head)).lines).toEqual([
      `${head.projectSlug}/main: no differences; 2 documents compared, 1 of them with newer drafts.`,
    ]);
    // Versions keep the names and fields of their time.
    const field = '/content-types/page/fields';
    await change('POST', `${field}/title/rename`, { apiName: 'headline' });
    await change('POST', field, { apiName: 'title', type: 'text' });
    expect((await checkEnvironment(units, head)).isOk).toBe(true);
    const problem = async () =>
      (await checkEnvironment(units, head)).lines.find((line) => line.includes('document en'));
    await tamper(
      `UPDATE published_entries SET fields = fields || '{"headline": "Newer"}' WHERE entry_id = $1`,
    );
    expect(await problem()).toBe(`  document en of ${child.id}: differs`);
    await tamper(
      `UPDATE published_entries SET fields = fields || '{"headline": "Page b"}' WHERE entry_id = $1`,
    );
    expect((await checkEnvironment(units, head)).isOk).toBe(true);
    await tamper("UPDATE published_entries SET slug = 'newer' WHERE entry_id = $1");
    expect(await problem()).toBe(`  document en of ${child.id}: differs`);
    await tamper('DELETE FROM entry_versions WHERE entry_id = $1 AND version_num = 1');
    expect(await problem()).toBe(`  document en of ${child.id}: without its version`);
  });

  it('names different links, shown locales and counts with --check', async () => {
    const { head, units, child, tamper } = await scene();
    const found = async () => (await checkEnvironment(units, head)).lines.slice(0, -1);
    await tamper("UPDATE entry_locales SET is_shown = false WHERE entry_id = $1 AND locale = 'en'");
    expect(await found()).toEqual([`  ${child.id} en: the mark of the shown locale differs`]);
    await tamper("UPDATE entry_locales SET is_shown = true WHERE entry_id = $1 AND locale = 'en'");
    await tamper(`UPDATE entry_counts SET entries = entries + 1 WHERE ctid = (SELECT min(c.ctid)
        FROM entry_counts c JOIN entries e USING (environment_id) WHERE e.id = $1 AND c.locale = 'en' AND c.status = 'published')`);
    expect(await found()).toEqual([
      expect.stringMatching(/^ {2}count of entries \S+ \S+ en published: 3, should be 2$/),
    ]);
    await tamper(`INSERT INTO entry_links (tenant_id, environment_id, entry_id, locale, field_id, target_id)
      SELECT e.tenant_id, e.environment_id, e.id, '', f.id, e.id FROM entries e JOIN fields f USING (environment_id, content_type_id)
      WHERE e.id = $1 LIMIT 1`);
    expect((await found())[0]).toBe(`  link of ${child.id}: left over`);
  });
});

describe('What lists of assets read', () => {
  verifies('media/list-totals');

  it('is right after every change, compared with --check and repaired without', async () => {
    const { head, units, change, project, tamper } = await scene();
    const assets = [];
    for (const tags of [['red', 'old'], ['red'], []])
      assets.push(await uploadAsset(app(), project, { tags, altText: 'One', siteIds: [project.siteId] }));
    const [first, second, third] = assets.map(({ id }) => id);
    await change('PUT', `/media/${first}`, {
      version: 1,
      tags: ['blue', 'red'],
      siteIds: [],
      fileName: 'new.png',
    });
    await change('PUT', `/media/${first}/locales/de`, { altText: 'Eins', title: 'Titel' });
    await change('PUT', `/media/${second}/locales/en`, { altText: null });
    await change('POST', '/media/bulk', {
      action: 'tag',
      assetIds: [first, second],
      params: { tags: ['green'] },
    });
    await change('POST', '/media/bulk', { action: 'delete', assetIds: [third], params: {} });
    const found = async () => (await checkEnvironment(units, head)).lines.slice(0, -1);
    expect(await found()).toEqual([]);
    const corruptions: readonly (readonly [sql: string, problem: RegExp])[] = [
      [
        'UPDATE media_counts SET assets = assets + 1',
        /^ {2}count of assets \S+ image\/png f: \d+, should be \d+$/,
      ],
      [
        'UPDATE media_set_counts SET assets = assets + 1',
        /^ {2}count of assets by sites and alternative text image /,
      ],
      [
        "UPDATE media_set_counts SET alt_locales = '{xx}'",
        /^ {2}sets \S+ \S+: do not stand for their members$/,
      ],
      ['DELETE FROM media_tag_counts', /^ {2}count of assets by tag blue: 0, should be 1$/],
      ["UPDATE media_asset_tags SET updated_at = 'epoch'", /^ {2}tag blue of \S+: has another time$/],
      ["UPDATE media_assets SET alt_locales = '{fr}'", /: the locales of its texts differ$/],
      ["UPDATE media_search SET grams = '{1}'", /: its index of name and titles differs$/],
    ];
    const here = `WHERE environment_id = (SELECT environment_id FROM entries WHERE id = $1)`;
    for (const [sql, problem] of corruptions) {
      await tamper(`${sql} ${here}`);
      expect(await found()).toContainEqual(expect.stringMatching(problem));
      expect((await rebuildEnvironment(units, head)).isOk).toBe(true);
      expect(await found()).toEqual([]);
    }
  });
});

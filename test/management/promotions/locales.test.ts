import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EnvironmentDifference } from '../../../contracts/environments/environments/environment.js';
import type { Promotion } from '../../../contracts/deployment/promotions/promotion.js';
import { send } from '../../support/call.js';
import { useOwnApp } from '../../support/desk.js';
import { expectConsistent } from '../../support/consistency.js';
import { branchOf } from '../../support/factories/branch.js';
import { createEntry, type TestEntry } from '../../support/factories/content.js';
import type { TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { Caller, projectWithArticle } from './articles.js';

const app = useOwnApp();
const by = new Caller(app);

let main: TestProject;
let branch: TestProject & { environment: string };
let article: TestEntry;

beforeEach(async () => {
  ({ main, article } = await projectWithArticle(app()));
  await by.edit(main, article.id, { title: 'Eins' }, 'de');
  branch = await branchOf(app(), main);
});

interface Pick {
  readonly kind?: string;
  readonly id?: string;
  readonly locales?: string[];
}

const bodyOf = (picks: readonly Pick[], more: object) => ({
  mode: 'cherryPick',
  items: picks.map((one) => ({ kind: 'entry', id: article.id, ...one })),
  target: 'main',
  ...more,
});

const pick = (picks: readonly Pick[], { from = branch.environment, ...more } = {}) =>
  by.call<Promotion>(main, 'POST', `/environments/${from}/promote`, bodyOf(picks, more));

async function refusal(picks: readonly Pick[]): Promise<unknown> {
  const path = `${main.management}/environments/${branch.environment}/promote`;
  const key = main.keys.management;
  return (await send(app(), { method: 'POST', path, key, body: bodyOf(picks, {}) })).body;
}

const differences = (source = branch.environment, target = 'main') =>
  by.call<EnvironmentDifference[]>(main, 'GET', `/environments/${source}/diff?target=${target}`);

const title = async (at: TestProject, locale: string) => (await by.read(at, article.id, locale)).fields.title;

const typeId = async (apiName: string) => (await by.call(main, 'GET', `/content-types/${apiName}`)).id;

describe('a promotion of a type without locales', () => {
  verifies('localization/lost-locales');

  const setLocalized = (at: TestProject, isLocalized: boolean) =>
    by.call(at, 'PUT', '/content-types/article', { isLocalized });
  const ofType = async () => ({ kind: 'contentType', id: await typeId('article') });

  it('keeps the drafts in other locales of both sides, and so does its rollback', async () => {
    await setLocalized(branch, false);
    await by.edit(branch, article.id, { title: 'Two' });
    expect(await differences()).toMatchObject([
      { kind: 'contentType', change: 'updated' },
      { kind: 'entry', values: [{ locale: 'en', field: 'title', source: 'Two' }] },
    ]);
    const { promotionId } = await pick([await ofType(), {}]);
    expect(await by.read(main, article.id)).toMatchObject({
      fields: { title: 'Two' },
      locales: [{ locale: 'en' }],
    });
    expect((await by.read(main, article.id, 'de')).locale).toBe('en');
    await expectConsistent(app(), main);
    await by.call(main, 'POST', '/environments/main/rollback', { promotionId });
    expect([await title(main, 'en'), await title(main, 'de')]).toEqual(['One', 'Eins']);
    await expectConsistent(app(), main);
    await pick([await ofType()]);
    await setLocalized(main, true);
    expect(await title(main, 'de')).toBe('Eins');
  });

  it('is refused while the target is published in another locale', async () => {
    await by.call(main, 'POST', `/entries/${article.id}/publish`, { locale: 'en' });
    await by.call(main, 'POST', `/entries/${article.id}/publish`, { locale: 'de' });
    await setLocalized(branch, false);
    expect(await refusal([await ofType()])).toMatchObject({
      error: 'content_type_in_use',
      details: { publishedEntryCount: 1 },
    });
  });

  it('refuses a change in another locale, and takes the one of the document', async () => {
    await setLocalized(main, false);
    await by.edit(branch, article.id, { title: 'Zwei' }, 'de');
    expect(await refusal([{}])).toMatchObject({
      error: 'promotion_type_differs',
      details: { kind: 'entry', id: article.id, locale: 'de' },
    });
    await by.edit(branch, article.id, { title: 'Two' });
    await pick([{ locales: ['en'] }]);
    expect((await by.read(main, article.id)).fields.title).toBe('Two');
    await expectConsistent(app(), main);
  });
});

describe('a promotion of some locales', () => {
  verifies('environments/promotion-merge');

  it('is no conflict for the next one, of the same locale or another', async () => {
    await by.edit(branch, article.id, { title: 'Two', code: 'd' });
    await by.edit(branch, article.id, { title: 'Zwei' }, 'de');
    expect((await pick([{ locales: ['en'] }])).summary.updated).toBe(1);
    expect([await title(main, 'en'), await title(main, 'de')]).toEqual(['Two', 'Eins']);
    await by.edit(branch, article.id, { title: 'Three', code: 'e' });
    expect((await pick([{ locales: ['de'] }])).conflicts).toEqual([]);
    expect([await title(main, 'en'), await title(main, 'de')]).toEqual(['Two', 'Zwei']);
    expect((await pick([{ locales: ['en'] }])).conflicts).toEqual([]);
    expect((await by.read(main, article.id)).fields).toMatchObject({ title: 'Three', code: 'e' });
    expect(await differences()).toEqual([]);
  });

  it('leaves the base of the others, and a rollback that of all', async () => {
    await by.edit(branch, article.id, { title: 'Two' });
    await by.edit(branch, article.id, { title: 'Zwei' }, 'de');
    await by.edit(main, article.id, { title: 'Drei' }, 'de');
    const before = await differences();
    const { promotionId } = await pick([{ locales: ['en'] }]);
    const conflict = { locale: 'de', field: 'title', base: 'Eins', source: 'Zwei', target: 'Drei' };
    expect(await differences()).toMatchObject([{ isConflict: true, values: [conflict] }]);
    expect(await refusal([{}])).toMatchObject({ error: 'environment_conflict' });
    await by.call(main, 'POST', '/environments/main/rollback', { promotionId });
    expect(await differences()).toEqual(before);
  });

  it('goes both ways, across a renamed field', async () => {
    await by.edit(branch, article.id, { teaser: 'Neu' }, 'de');
    await by.call(branch, 'POST', '/content-types/article/fields/title/rename', { apiName: 'headline' });
    const down = { from: 'main', target: branch.environment, includeDependencies: false };
    for (const text of ['Two', 'Three']) {
      await by.edit(main, article.id, { title: text });
      expect((await pick([{ locales: ['en'] }], down)).conflicts).toEqual([]);
      expect((await by.read(branch, article.id)).fields).toMatchObject({ headline: text });
    }
    const [first] = await differences();
    expect(first).toMatchObject({ kind: 'contentType', change: 'updated' });
    expect((await differences()).slice(1)).toMatchObject([
      { isConflict: false, values: [{ locale: 'de', field: 'teaser', changedIn: 'source', source: 'Neu' }] },
    ]);
  });

  it('creates an entry in these locales only, and takes what is named twice together', async () => {
    const link = { apiName: 'next', type: 'reference', localized: true };
    await by.call(branch, 'POST', '/content-types/article/fields', link);
    await pick([{ kind: 'contentType', id: await typeId('article') }]);
    const fields = { title: 'New' };
    const { id } = await createEntry(app(), branch, { contentTypeApiName: 'article', fields });
    const linked = await createEntry(app(), branch, {
      contentTypeApiName: 'author',
      fields: { name: 'Eve' },
    });
    await by.edit(branch, id, { title: 'Neu', next: { _ref: linked.id } }, 'de');
    expect((await pick([{ id, locales: ['fr'] }])).summary).toMatchObject({ created: 0 });
    expect((await pick([{ id, locales: ['en'] }])).summary).toMatchObject({ created: 1 });
    expect((await by.read(main, id)).fields).toEqual(fields);
    expect(await differences()).toMatchObject([
      { id, change: 'updated', values: [{ locale: 'de', field: null, changedIn: 'source' }] },
      { id: linked.id, change: 'created' },
    ]);
    await by.edit(branch, id, { title: 'Newer' });
    await pick([
      { id, locales: ['de'] },
      { id, locales: ['en'] },
    ]);
    expect(await differences()).toEqual([]);
    expect((await by.read(main, id, 'de')).fields).toMatchObject({ next: { _ref: linked.id } });
  });

  it('deletes an entry with all of its locales', async () => {
    await by.call(branch, 'DELETE', `/entries/${article.id}`);
    expect((await pick([{ locales: ['de'] }])).summary.deleted).toBe(1);
    expect(await differences()).toEqual([]);
  });

  it('is refused for what has no locales', async () => {
    expect(await refusal([{}, { kind: 'treeNode', locales: ['en'] }])).toMatchObject({
      error: 'validation_failed',
      details: { issues: [{ path: ['items', 1, 'locales'] }] },
    });
  });
});

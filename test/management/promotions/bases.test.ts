import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Promotion } from '../../../contracts/deployment/promotions/promotion.js';
import { branchOf } from '../../support/factories/branch.js';
import { createEntry, type TestEntry } from '../../support/factories/content.js';
import type { TestProject } from '../../support/factories/project.js';
import { Caller, projectWithArticle } from './articles.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let main: TestProject;
let branch: TestProject & { environment: string };
let article: TestEntry;

beforeEach(async () => {
  ({ main, article } = await projectWithArticle(app()));
  branch = await branchOf(app(), main);
});

const by = new Caller(() => app());

const promote = (source: string, target: string, body: object = {}) =>
  by.call<Promotion>(main, 'POST', `/environments/${source}/promote`, { mode: 'full', target, ...body });

describe('deleted fields', () => {
  it('are no conflict of their type or of a deleted entry', async () => {
    await by.call(branch, 'DELETE', '/content-types/article/fields/title?force=true');
    await by.call(branch, 'DELETE', `/entries/${article.id}`);
    const { summary } = await promote(branch.environment, 'main');
    expect(summary).toEqual({ created: 0, updated: 1, deleted: 1, unchanged: 0 });
  });

  it('stay deleted where they were, whatever values the other side has', async () => {
    await by.call(branch, 'DELETE', '/content-types/article/fields/code?force=true');
    await by.edit(main, article.id, { title: 'Two' });
    const fields = { title: 'New', code: 'd' };
    const fresh = await createEntry(app(), main, { contentTypeApiName: 'article', fields });
    await promote('main', branch.environment);
    expect((await by.read(branch, article.id)).fields).toMatchObject({ title: 'Two', teaser: 'T' });
    expect((await by.read(branch, fresh.id)).fields).toEqual({ title: 'New' });
  });
});

describe('equal changes', () => {
  it('are what both sides agree on after a full promotion', async () => {
    await by.edit(branch, article.id, { title: 'Same' });
    await by.edit(main, article.id, { title: 'Same' });
    await promote(branch.environment, 'main');
    await by.edit(branch, article.id, { title: 'Later' });
    expect((await promote(branch.environment, 'main')).conflicts).toEqual([]);
    expect((await by.read(main, article.id)).fields).toMatchObject({ title: 'Later' });
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Promotion } from '../../../contracts/deployment/promotions/promotion.js';
import { send } from '../../support/call.js';
import { stateOf } from '../../support/environment-state.js';
import { branchOf } from '../../support/factories/branch.js';
import { createEntry, createType, type TestEntry } from '../../support/factories/content.js';
import { createFolder, createPage, createPageType } from '../../support/factories/tree.js';
import type { TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { Caller, projectWithArticle } from './articles.js';
import { useOwnApp } from '../../support/desk.js';

const app = useOwnApp();
let main: TestProject;
let article: TestEntry;

beforeEach(async () => {
  ({ main, article } = await projectWithArticle(app()));
  await createPageType(app(), main);
});

const by = new Caller(() => app());

const post = (path: string, body: object, key = main.keys.management) =>
  send(app(), { method: 'POST', path: `${main.management}${path}`, key, body });

const promote = (source: string, body: object = {}) =>
  post(`/environments/${source}/promote`, { mode: 'full', ...body });

/** The refusal of a full promotion, which left the default environment as it was. */
async function refusal(source: string): Promise<unknown> {
  const before = await stateOf(app(), main, 'main');
  const { body } = await promote(source);
  expect(await stateOf(app(), main, 'main')).toEqual(before);
  return (body as { error?: string }).error;
}

describe('a promotion', () => {
  verifies('environments/promotion-merge');

  it('is refused into itself, into an unknown environment, and with a key of one environment', async () => {
    const branch = await branchOf(app(), main);
    expect((await promote('main')).body).toMatchObject({ error: 'same_environment' });
    expect((await promote(branch.environment, { target: 'nowhere' })).body).toMatchObject({
      error: 'environment_not_found',
    });
    const path = `/environments/${branch.environment}/promote`;
    const bound = await post(path, { mode: 'full' }, branch.keys.management);
    expect([bound.status, bound.body]).toMatchObject([403, { error: 'permission_denied' }]);
  });

  it('is confirmed by keys where the target is protected', async () => {
    const { environment } = await branchOf(app(), main);
    await by.call(main, 'PUT', '/environments/main', { isProtected: true });
    const asked = await promote(environment);
    expect([asked.status, asked.body]).toMatchObject([409, { error: 'confirmation_required' }]);
  });

  it('is refused as a whole where a path is taken', async () => {
    const branch = await branchOf(app(), main);
    await createPage(app(), branch, { slug: 'about' });
    await createFolder(app(), main, { slug: 'about' });
    await by.edit(branch, article.id, { title: 'Two' });
    expect(await refusal(branch.environment)).toBe('slug_conflict');
  });

  it('is refused as a whole where a redirect or a name of a type is taken', async () => {
    const branch = await branchOf(app(), main);
    for (const at of [branch, main])
      await by.call(at, 'POST', '/redirects', { siteId: main.siteId, source: '/a', target: '/b' });
    expect(await refusal(branch.environment)).toBe('redirect_conflict');
    const other = await branchOf(app(), main);
    for (const at of [other, main])
      await createType(app(), at, { apiName: 'event', fields: [{ apiName: 'day', type: 'date' }] });
    expect(['api_name_conflict', 'graphql_type_name_conflict']).toContain(await refusal(other.environment));
  });

  it('is refused as a whole where the target deleted a parent or a linked entry', async () => {
    const folder = await createFolder(app(), main, { slug: 'parent' });
    const author = await createEntry(app(), main, { contentTypeApiName: 'author', fields: { name: 'Eve' } });
    const [first, second] = [await branchOf(app(), main), await branchOf(app(), main)];
    await createPage(app(), first, { slug: 'child', treeParentId: folder.id });
    await by.edit(second, article.id, { author: { _ref: author.id } });
    await by.call(main, 'DELETE', `/tree/nodes/${folder.id}`);
    await by.call(main, 'DELETE', `/entries/${author.id}`);
    expect(await refusal(first.environment)).toBe('promotion_incomplete');
    expect(await refusal(second.environment)).toBe('promotion_incomplete');
  });

  it('writes once if it is called twice at once', async () => {
    const branch = await branchOf(app(), main);
    await by.edit(branch, article.id, { title: 'Two' });
    const { version } = await by.read(main, article.id);
    const both = await Promise.all([promote(branch.environment), promote(branch.environment)]);
    const summaries = both.map(({ body }) => (body as { data: Promotion }).data.summary);
    expect(summaries.map(({ updated }) => updated).sort()).toEqual([0, 1]);
    expect((await by.read(main, article.id)).version).toBe(version + 1);
  });
});

describe('a deleted branch', () => {
  verifies('environments/rollback');

  it('leaves its promotions, which are rolled back', async () => {
    const branch = await branchOf(app(), main);
    const before = await stateOf(app(), main, 'main');
    const promotionIds: string[] = [];
    for (const title of ['Two', 'Three']) {
      await by.edit(branch, article.id, { title });
      promotionIds.push(
        ((await promote(branch.environment)).body as { data: { promotionId: string } }).data.promotionId,
      );
    }
    await by.call(main, 'DELETE', `/environments/${branch.environment}`);
    await app().composition.jobs.workOnEnvironments();
    for (const promotionId of promotionIds.reverse())
      expect((await post('/environments/main/rollback', { promotionId })).body).toMatchObject({
        data: { status: 'rolled_back' },
      });
    expect(await stateOf(app(), main, 'main')).toEqual(before);
  });
});

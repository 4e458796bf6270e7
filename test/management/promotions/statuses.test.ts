import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EnvironmentDifference } from '../../../contracts/environments/environments/environment.js';
import type { Promotion } from '../../../contracts/deployment/promotions/promotion.js';
import { stateOf } from '../../support/environment-state.js';
import { branchOf } from '../../support/factories/branch.js';
import { createEntry, publish, type TestEntry } from '../../support/factories/content.js';
import type { TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { Caller, projectWithArticle } from './articles.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let main: TestProject;
let branch: TestProject & { environment: string };
let live: TestEntry;
let draft: TestEntry;

beforeEach(async () => {
  ({ main, article: live } = await projectWithArticle(app()));
  await publish(app(), main, live.id);
  draft = await createEntry(app(), main, { contentTypeApiName: 'article', fields: { title: 'Draft' } });
  branch = await branchOf(app(), main);
});

const by = new Caller(() => app());

const promote = (body: object = { publish: true }) =>
  by.call<Promotion>(main, 'POST', `/environments/${branch.environment}/promote`, { mode: 'full', ...body });

const differences = () =>
  by.call<EnvironmentDifference[]>(main, 'GET', `/environments/${branch.environment}/diff`);

const unpublish = (at: TestProject, id: string) => by.call(at, 'POST', `/entries/${id}/unpublish`);

const statuses = async () =>
  Promise.all([live, draft].map(async ({ id }) => (await by.read(main, id)).status));

describe('published state', () => {
  verifies('environments/promotion-statuses');

  it('is carried on request where the content is the same, and rolled back', async () => {
    await publish(app(), branch, draft.id);
    await unpublish(branch, live.id);
    const ahead = await differences();
    expect(ahead.map(({ id, change, values }) => [id, change, values])).toEqual(
      expect.arrayContaining([
        [
          live.id,
          'updated',
          [
            {
              locale: 'en',
              field: 'status',
              changedIn: 'source',
              base: 'published',
              source: 'draft',
              target: 'published',
            },
          ],
        ],
        [draft.id, 'updated', [expect.objectContaining({ source: 'published', target: 'draft' })]],
      ]),
    );
    const before = await stateOf(app(), main, 'main');
    expect((await promote({})).summary).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: 2 });
    expect(await statuses()).toEqual(['published', 'draft']);
    const { promotionId, summary } = await promote();
    expect(summary).toEqual({ created: 0, updated: 2, deleted: 0, unchanged: 0 });
    expect(await statuses()).toEqual(['draft', 'published']);
    expect((await by.read(main, draft.id)).version).toBe(draft.version);
    expect(await differences()).toEqual([]);
    await by.call(main, 'POST', '/environments/main/rollback', { promotionId });
    expect(await stateOf(app(), main, 'main')).toEqual(before);
    expect(await differences()).toEqual(ahead);
  });

  it('follows later, when the content was promoted without it', async () => {
    await by.edit(branch, live.id, { title: 'Two' });
    await publish(app(), branch, live.id);
    const fresh = await createEntry(app(), branch, {
      contentTypeApiName: 'article',
      fields: { title: 'New' },
    });
    await publish(app(), branch, fresh.id);
    await promote({});
    expect(await statuses()).toEqual(['changed', 'draft']);
    expect((await promote()).summary.updated).toBe(2);
    expect(await statuses()).toEqual(['published', 'draft']);
    expect((await by.read(main, fresh.id)).status).toBe('published');
  });

  it('stays where only the target changed it', async () => {
    await unpublish(main, live.id);
    await publish(app(), main, draft.id);
    expect((await differences()).map(({ change }) => change)).toEqual(['none', 'none']);
    expect((await promote()).summary.updated).toBe(0);
    expect(await statuses()).toEqual(['draft', 'published']);
  });

  it('is that of one locale if one is picked', async () => {
    await by.edit(main, draft.id, { title: 'Entwurf' }, 'de');
    const { environment } = await branchOf(app(), main);
    branch = { ...branch, environment };
    for (const locale of ['en', 'de'])
      await by.call(main, 'POST', `/entries/${draft.id}/publish`, { locale });
    const items = [{ kind: 'entry', id: draft.id, locales: ['de'] }];
    const body = { mode: 'cherryPick', items, target: environment, publish: true };
    await by.call(main, 'POST', '/environments/main/promote', body);
    const ahead = await by.call<EnvironmentDifference[]>(
      main,
      'GET',
      `/environments/main/diff?target=${environment}`,
    );
    expect(ahead).toMatchObject([{ id: draft.id, values: [{ locale: 'en', field: 'status' }] }]);
  });
});

import { expect, it } from '@jest/globals';
import { useApp } from '../../support/desk.js';
import { branchOf } from '../../support/factories/branch.js';
import { verifies } from '../../support/verifies.js';
import { Caller, projectWithArticle } from './articles.js';

const app = useApp();
const by = new Caller(app);

interface Exported {
  readonly schema: {
    readonly contentTypes: {
      readonly apiName: string;
      displayField?: string;
      fields: { apiName: string }[];
    }[];
  };
}

verifies('environments/schema-undo');

it('A promotion carries the values that the undo of a schema restored in the source', async () => {
  const { main, article } = await projectWithArticle(app());
  await by.call(main, 'POST', `/entries/${article.id}/publish`, {});
  const before = await by.read(main, article.id);
  const branch = await branchOf(app(), main);
  const { schema } = await by.call<Exported>(branch, 'GET', '/schema/export');
  const contentTypes = schema.contentTypes.map(({ displayField: _display, ...type }) => ({
    ...type,
    fields: type.fields.filter(({ apiName }) => apiName !== 'title' && apiName !== 'code'),
  }));
  const { applyId } = await by.call<{ applyId: string }>(branch, 'POST', '/schema/apply', {
    schema: { contentTypes },
    allowDestructive: true,
  });
  await by.call(branch, 'POST', '/schema/undo', { applyId });
  const path = `/environments/${branch.environment}/promote`;
  await by.call(main, 'POST', path, { mode: 'full', target: 'main', publish: true });
  const { fields, status } = await by.read(main, article.id);
  expect([fields, status]).toEqual([before.fields, 'published']);
});

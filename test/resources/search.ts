import { createEntry } from '../support/factories/content.js';
import { inProject } from '../support/scene.js';
import { editors, members, type Table } from './row.js';

export const search: Table<'search'> = {
  find: {
    access: members('read'),
    example: inProject(async ({ app, project }) => {
      await createEntry(app, project, { contentTypeApiName: 'article', fields: { title: 'A lock' } });
      await app.composition.jobs.indexSearch();
      return { q: 'lock', facets: ['locale', 'status'], highlight: true };
    }),
  },
  tool: {
    access: members('read'),
    example: inProject(async ({ app, project }) => {
      await createEntry(app, project, { contentTypeApiName: 'article', fields: { title: 'A weir' } });
      await app.composition.jobs.indexSearch();
      return { query: 'weir', facets: ['status'] };
    }),
  },
  reindex: { access: editors('update'), example: inProject(() => ({ contentTypes: ['article'] })) },
};

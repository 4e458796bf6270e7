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
  suggest: {
    access: members('read'),
    example: inProject(async ({ app, project }) => {
      await createEntry(app, project, { contentTypeApiName: 'article', fields: { title: 'A lock' } });
      await app.composition.jobs.indexSearch();
      return { q: 'a lo' };
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
  settings: { access: members('read'), example: inProject(() => ({})) },
  setSettings: {
    access: editors('update'),
    event: 'search_settings.updated',
    example: inProject(() => ({
      synonyms: { en: [['lock', 'sluice']] },
      boosts: { types: { article: 2 }, fields: { 'article.title': 3 } },
    })),
  },
};

import { must } from '../support/call.js';
import { uploadAsset } from '../support/factories/media.js';
import { createEntry, publish } from '../support/factories/content.js';
import { unique } from '../support/factories/project.js';
import { inSite, type Scene } from '../support/scene.js';
import { readers, type Table } from './row.js';

const draft = ({ app, project }: Scene) =>
  createEntry(app, project, { contentTypeApiName: 'article', fields: { title: `Draft ${unique()}` } });

const live = async ({ app, project }: Scene) => publish(app, project, (await draft({ app, project })).id);

export const delivery: Table<'delivery'> = {
  getEntry: { access: readers, example: inSite(async (scene) => ({ id: (await live(scene)).id })) },
  listContent: {
    access: readers,
    example: inSite(async (scene) => {
      await live(scene);
      return { contentTypeApiName: 'article' };
    }),
  },
  searchContent: {
    access: readers,
    example: inSite(async (scene) => {
      await live(scene);
      return { contentTypeApiName: ['article'] };
    }),
  },
  suggestSearch: {
    access: readers,
    example: inSite(async (scene) => {
      await live(scene);
      return { q: 'dra' };
    }),
  },
  getMedia: {
    access: readers,
    example: inSite(async ({ app, project }) => ({ assetId: (await uploadAsset(app, project)).id })),
  },
  resolveRoute: {
    access: readers,
    example: inSite(async ({ app, project }) => {
      const { management, keys, siteId } = project;
      const body = { siteId, source: `/old-${unique()}`, target: '/new' };
      await must(app, { method: 'POST', path: `${management}/redirects`, key: keys.management, body });
      return { path: body.source };
    }),
  },
  getTree: { access: readers, example: inSite(() => ({})) },
  listRedirects: { access: readers, example: inSite(() => ({})) },
  getSitemap: { access: readers, example: inSite(() => ({})) },
  sync: { access: readers, example: inSite(() => ({})) },
};

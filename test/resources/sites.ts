import { must } from '../support/call.js';
import { unique } from '../support/factories/project.js';
import { inProject } from '../support/scene.js';
import { builders, members, at, type Table } from './row.js';

export const sites: Table<'sites'> = {
  list: { access: members('read'), example: inProject(() => ({})) },
  create: {
    access: builders('create'),
    example: inProject(() => ({ slug: `site-${unique()}`, name: 'Site' })),
    event: 'site.created',
  },
  get: { access: members('read'), example: inProject(() => ({ siteSlug: 'main' })) },
  update: {
    access: builders('update'),
    example: inProject(() => ({ siteSlug: 'main', name: `Main ${unique()}` })),
    event: 'site.updated',
    foreignIds: [at('entry', 'homeEntryId')],
  },
  delete: {
    access: builders('delete'),
    example: inProject(async ({ app, project }) => {
      const slug = `site-${unique()}`;
      const { management, keys } = project;
      await must(app, {
        method: 'POST',
        path: `${management}/sites`,
        key: keys.management,
        body: { slug, name: 'Site' },
      });
      return { siteSlug: slug };
    }),
    event: 'site.deleted',
  },
};

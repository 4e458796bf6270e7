import { textFile, uploadAsset } from '../support/factories/media.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { at, makers, mediaChangers, members, type Table } from './row.js';

const asset = ({ app, project }: Scene) => uploadAsset(app, project);

export const media: Table<'media'> = {
  list: {
    access: members('read'),
    example: inProject(async (scene) => {
      await asset(scene);
      return {};
    }),
    foreignIds: [at('site', 'siteId', 0)],
  },
  upload: {
    access: makers('create'),
    example: inProject(() => ({ file: textFile(), tags: ['example'] })),
    event: 'media.created',
    foreignIds: [at('site', 'siteIds', 0)],
  },
  get: {
    access: members('read'),
    example: inProject(async (scene) => ({ id: (await asset(scene)).id })),
  },
  update: {
    access: mediaChangers('update'),
    example: inProject(async (scene) => ({ id: (await asset(scene)).id, tags: [unique()] })),
    event: 'media.updated',
    foreignIds: [at('site', 'siteIds', 0)],
  },
  delete: {
    access: makers('delete'),
    example: inProject(async (scene) => ({ id: (await asset(scene)).id })),
    event: 'media.deleted',
  },
  listLocales: {
    access: members('read'),
    example: inProject(async (scene) => ({ id: (await asset(scene)).id })),
  },
  putLocale: {
    access: mediaChangers('update'),
    example: inProject(async (scene) => ({
      id: (await asset(scene)).id,
      locale: 'de',
      altText: `Alt ${unique()}`,
    })),
    event: 'media.locale_updated',
  },
};

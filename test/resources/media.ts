import { must } from '../support/call.js';
import { textFile, uploadAsset } from '../support/factories/media.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { at, makers, mediaChangers, members, type Table } from './row.js';

const asset = ({ app, project }: Scene) => uploadAsset(app, project);

export const media: Table<'media'> = {
  replace: {
    access: mediaChangers('update'),
    example: inProject(async (scene) => ({ id: (await asset(scene)).id, file: textFile() })),
    event: 'media.updated',
  },
  listVersions: {
    access: members('read'),
    example: inProject(async (scene) => ({ id: (await asset(scene)).id })),
  },
  restoreVersion: {
    access: mediaChangers('update'),
    example: inProject(async (scene) => {
      const { app, project } = scene;
      const { id } = await asset(scene);
      const path = `${project.management}/media/${id}/file`;
      await must(app, { method: 'PUT', path, key: project.keys.management, body: { file: textFile() } });
      return { id, versionNum: 1 };
    }),
    event: 'media.updated',
  },
  listReferences: {
    access: members('read'),
    example: inProject(async (scene) => ({ id: (await asset(scene)).id })),
  },
  signUrl: {
    access: members('read'),
    example: inProject(async (scene) => ({ id: (await asset(scene)).id })),
  },
  bulk: {
    access: members('any'),
    example: inProject(async (scene) => ({
      action: 'tag',
      assetIds: [(await asset(scene)).id],
      params: { tags: [unique()] },
    })),
    event: 'media.updated',
    quietPositions: ['assetIds.0'],
  },
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
  importUrl: {
    access: makers('create'),
    // Another asset may be private although its file is public.
    example: inProject(async (scene) => ({
      url: `${scene.app.baseUrl}${(await asset(scene)).url}`,
      visibility: 'private',
    })),
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

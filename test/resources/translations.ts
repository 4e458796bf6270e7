import { must, send } from '../support/call.js';
import { zipOf } from '../support/archives.js';
import { createEntry } from '../support/factories/content.js';
import { inProject, type Scene } from '../support/scene.js';
import { allow, at, quiet, type Table } from './row.js';

async function translation({ app, project }: Scene): Promise<{ entryId: string; locale: string }> {
  const { id } = await createEntry(app, project, {
    contentTypeApiName: 'article',
    fields: { title: 'Lock' },
  });
  const body = { version: 1, locale: 'de', fields: { title: 'Schleuse' } };
  const path = `${project.management}/entries/${id}`;
  await must(app, { method: 'PUT', path, key: project.keys.management, body });
  return { entryId: id, locale: 'de' };
}

const everyoneButAuthors = allow('owner', 'admin', 'developer', 'editor', 'translator', 'viewer');
const translators = allow('owner', 'admin', 'developer', 'editor', 'translator');

const exportOf = async (
  { app, project }: Scene,
  { entryId, locale }: { entryId: string; locale: string },
): Promise<string> => {
  const path = `${project.management}/translations/${entryId}/${locale}/export?source=draft`;
  return (await send(app, { method: 'GET', path, key: project.keys.management })).text;
};

const startedExport = async (scene: Scene): Promise<string> => {
  const { app, project } = scene;
  const { entryId } = await translation(scene);
  const body = { entryIds: [entryId], targetLocale: 'de' };
  const path = `${project.management}/translations/export`;
  const { jobId } = await must<{ jobId: string }>(app, {
    method: 'POST',
    path,
    key: project.keys.management,
    body,
  });
  return jobId;
};

const startedImport = async (scene: Scene): Promise<string> => {
  const { app, project } = scene;
  const target = await translation(scene);
  const content = await zipOf({ 'one.xlf': await exportOf(scene, target) });
  const body = { file: { fileName: 'de.zip', content: content.toString('base64') } };
  const path = `${project.management}/translations/import`;
  const { jobId } = await must<{ jobId: string }>(app, {
    method: 'POST',
    path,
    key: project.keys.management,
    body,
  });
  return jobId;
};

export const translations: Table<'translations'> = {
  list: {
    access: everyoneButAuthors('read'),
    example: inProject(() => ({})),
    foreignIds: [at('site', 'siteId', 0), quiet('user', 'assigneeId', 0)],
  },
  stats: {
    access: everyoneButAuthors('read'),
    example: inProject(() => ({})),
    foreignIds: [at('site', 'siteId', 0)],
  },
  get: {
    access: everyoneButAuthors('read'),
    example: inProject(async (scene) => ({ entryId: (await translation(scene)).entryId })),
  },
  update: {
    access: translators('update'),
    example: inProject(async (scene) => ({ ...(await translation(scene)), status: 'needs_review' })),
    event: 'translation.updated',
    foreignIds: [at('user', 'assigneeId')],
  },
  export: {
    access: everyoneButAuthors('read'),
    example: inProject(async (scene) => ({ ...(await translation(scene)), source: 'draft' })),
  },
  import: {
    access: translators('update'),
    example: inProject(async (scene) => {
      const target = await translation(scene);
      return { ...target, xliff: await exportOf(scene, target) };
    }),
    event: 'translation.updated',
  },
  suggest: {
    access: translators('update'),
    example: inProject(async ({ app, project }) => {
      const fields = { title: 'Lock' };
      const { id } = await createEntry(app, project, { contentTypeApiName: 'article', fields });
      return { entryId: id, locale: 'de', source: 'draft' };
    }),
    event: 'translation.updated',
  },
  startExport: {
    access: everyoneButAuthors('read'),
    example: inProject(async (scene) => ({
      entryIds: [(await translation(scene)).entryId],
      sourceLocale: 'en',
      targetLocale: 'de',
      source: 'draft',
    })),
    quietPositions: ['entryIds.0'],
  },
  getExport: {
    access: everyoneButAuthors('read'),
    example: inProject(async (scene) => ({ jobId: await startedExport(scene) })),
  },
  startImport: {
    access: translators('update'),
    example: inProject(async (scene) => {
      const target = await translation(scene);
      const content = await zipOf({ 'one.xlf': await exportOf(scene, target) });
      return { file: { fileName: 'de.zip', content: content.toString('base64') }, applyStale: true };
    }),
  },
  getImport: {
    access: everyoneButAuthors('read'),
    example: inProject(async (scene) => ({ jobId: await startedImport(scene) })),
  },
  markStale: {
    access: translators('update'),
    example: inProject(async (scene) => ({ ...(await translation(scene)), reason: 'Old prices.' })),
    event: 'translation.stale',
  },
};

import { must } from '../support/call.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { at, makers, type Table } from './row.js';

const CONTENT = Buffer.from('twelve bytes');

const request = () => ({
  fileName: `${unique()}.txt`,
  size: CONTENT.length,
  mimeType: 'text/plain',
});

const upload = ({ app, project }: Scene, body = request()) =>
  must(app, {
    method: 'POST',
    path: `${project.management}/media/uploads`,
    key: project.keys.management,
    body,
  });

/** Every byte has arrived. */
async function sentUpload(scene: Scene): Promise<{ id: string }> {
  const { app, project } = scene;
  const content = Buffer.from(unique());
  const { id } = await upload(scene, { ...request(), size: content.length });
  const path = `${project.management}/media/uploads/${id}`;
  const body = { offset: 0, content: content.toString('base64') };
  await must(app, { method: 'PATCH', path, key: project.keys.management, body });
  return { id };
}

export const mediaUploads: Table<'mediaUploads'> = {
  create: {
    access: makers('create'),
    example: inProject(request),
    foreignIds: [at('site', 'siteIds', 0)],
  },
  get: {
    access: makers('create'),
    example: inProject(async (scene) => ({ id: (await upload(scene)).id })),
  },
  append: {
    access: makers('create'),
    example: inProject(async (scene) => ({
      id: (await upload(scene)).id,
      offset: 0,
      content: CONTENT.toString('base64'),
    })),
  },
  complete: {
    access: makers('create'),
    example: inProject(sentUpload),
    event: 'media.created',
  },
  abort: {
    access: makers('create'),
    example: inProject(sentUpload),
  },
};

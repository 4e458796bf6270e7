import { must } from '../support/call.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { members, type Table } from './row.js';

interface Exported {
  readonly schema: { readonly contentTypes: readonly object[] };
}

/** The schema of the project with one type more. */
async function withNewType({ app, project: { management, keys } }: Scene) {
  const { schema } = await must<Exported>(app, {
    method: 'GET',
    path: `${management}/schema/export`,
    key: keys.management,
  });
  const added = {
    apiName: `kind${unique()}`,
    name: `Kind ${unique()}`,
    fields: [{ apiName: 'title', type: 'text' }],
  };
  return { contentTypes: [...schema.contentTypes, added] };
}

async function applied(scene: Scene): Promise<{ applyId: string }> {
  const { app, project } = scene;
  const { applyId } = await must<{ applyId: string }>(app, {
    method: 'POST',
    path: `${project.management}/schema/apply`,
    key: project.keys.management,
    body: { schema: await withNewType(scene) },
  });
  return { applyId };
}

export const schema: Table<'schema'> = {
  export: { access: members('read'), example: inProject(() => ({ format: 'yaml' })) },
  plan: {
    access: members('read'),
    example: inProject(async (scene) => ({ schema: await withNewType(scene) })),
  },
  applyDocument: {
    access: members('any'),
    example: inProject(async (scene) => ({ schema: await withNewType(scene) })),
    event: 'content_type.created',
  },
  undo: { access: members('any'), example: inProject(applied), event: 'content_type.deleted' },
};

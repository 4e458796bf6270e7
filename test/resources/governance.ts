import { must } from '../support/call.js';
import { createEntry, publish } from '../support/factories/content.js';
import { inProject, type Scene } from '../support/scene.js';
import { builders, editorsAndViewers, type Table } from './row.js';

/** An entry published without approval, of a type that names its workflow. */
async function unapproved({ app, project }: Scene): Promise<string> {
  await must(app, {
    method: 'PUT',
    path: `${project.management}/content-types/article`,
    key: project.keys.management,
    body: { workflowSlug: 'default' },
  });
  const { id } = await createEntry(app, project, {
    contentTypeApiName: 'article',
    fields: { title: 'A lock' },
  });
  await publish(app, project, id);
  return id;
}

async function issue(scene: Scene): Promise<string> {
  const { app, project } = scene;
  const entryId = await unapproved(scene);
  const call = { key: project.keys.management, path: `${project.management}/governance` };
  await must(app, { ...call, method: 'POST', path: `${call.path}/analyze`, body: {} });
  const path = `${call.path}/issues?subjectId=${entryId}`;
  const [found] = await must<{ id: string }[]>(app, { ...call, method: 'GET', path });
  return found?.id ?? '';
}

export const governance: Table<'governance'> = {
  lastAnalysis: {
    access: editorsAndViewers('read'),
    example: inProject(async (scene) => {
      await issue(scene);
      return {};
    }),
  },
  analyze: {
    access: builders('update'),
    example: inProject(async (scene) => {
      await unapproved(scene);
      return {};
    }),
    event: 'governance.issue_opened',
  },
  listIssues: {
    access: editorsAndViewers('read'),
    example: inProject(async (scene) => {
      await issue(scene);
      return { status: ['open'], severity: ['warning'] };
    }),
  },
  resolve: {
    access: builders('update'),
    example: inProject(async (scene) => ({ id: await issue(scene), note: 'Agreed.' })),
  },
};

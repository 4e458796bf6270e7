import { must } from '../support/call.js';
import { inProject, type Scene } from '../support/scene.js';
import { makers, membersAndScoped, type Table } from './row.js';

const file = { fileName: 'parts.csv', content: Buffer.from('sku,title\na,Lock\n').toString('base64') };

const started = async ({ app, project }: Scene): Promise<string> => {
  const body = { system: 'csv', contentTypeApiName: 'part', file };
  const path = `${project.management}/imports`;
  const call = { method: 'POST', path, key: project.keys.management, body } as const;
  return (await must<{ jobId: string }>(app, call)).jobId;
};

/** A job that has ended. */
const ended = async (scene: Scene): Promise<string> => {
  const jobId = await started(scene);
  const { app, project } = scene;
  const path = `${project.management}/imports/${jobId}/cancel`;
  await must(app, { method: 'POST', path, key: project.keys.management });
  return jobId;
};

export const imports: Table<'imports'> = {
  start: {
    access: makers('create'),
    example: inProject(() => ({
      system: 'csv',
      siteSlug: 'main',
      contentTypeApiName: 'part',
      dryRun: true,
      mapping: 'system: csv\n',
      file,
    })),
  },
  list: {
    access: membersAndScoped('read'),
    example: inProject(async (scene) => {
      await started(scene);
      return {};
    }),
  },
  get: {
    access: membersAndScoped('read'),
    example: inProject(async (scene) => ({ jobId: await started(scene) })),
  },
  repeat: {
    access: makers('create'),
    example: inProject(async (scene) => ({
      jobId: await ended(scene),
      dryRun: true,
      mapping: 'system: csv\n',
    })),
  },
  cancel: {
    access: makers('create'),
    example: inProject(async (scene) => ({ jobId: await started(scene) })),
    event: 'import.finished',
  },
};

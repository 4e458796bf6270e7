import { must } from '../support/call.js';
import { createEntry } from '../support/factories/content.js';
import { inProject, type Scene } from '../support/scene.js';
import { editors, members, type Table } from './row.js';

async function job({ app, project }: Scene): Promise<string> {
  const { id } = await createEntry(app, project, {
    contentTypeApiName: 'article',
    fields: { title: 'Later' },
  });
  const path = `${project.management}/entries/${id}/publish`;
  const body = { scheduledAt: '2099-01-01T00:00:00Z' };
  const { jobId } = await must<{ jobId: string }>(app, {
    method: 'POST',
    path,
    key: project.keys.management,
    body,
  });
  return jobId;
}

export const calendar: Table<'calendar'> = {
  list: { access: members('read'), example: inProject(() => ({})) },
  feed: { access: members('read'), example: inProject(() => ({})) },
  feedUrl: { access: members('read'), example: inProject(() => ({})) },
  adopt: {
    access: editors('none'),
    example: inProject(async (scene) => ({ jobId: await job(scene) })),
    event: 'entry.scheduled',
  },
  reschedule: {
    access: editors('update'),
    example: inProject(async (scene) => ({ jobId: await job(scene), scheduledAt: '2099-06-01T00:00:00Z' })),
    event: 'entry.scheduled',
  },
};

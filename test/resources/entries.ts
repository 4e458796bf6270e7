import { must } from '../support/call.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { unique } from '../support/factories/project.js';
import { inProject, type Scene } from '../support/scene.js';
import { editors, membersAndScoped, changers, makers, at, quiet, type Table } from './row.js';

const draft = ({ app, project }: Scene) =>
  createEntry(app, project, { contentTypeApiName: 'article', fields: { title: `Draft ${unique()}` } });

const live = async ({ app, project }: Scene) => publish(app, project, (await draft({ app, project })).id);

const changed = async (scene: Scene) => {
  const { app, project } = scene;
  const { id, version } = await draft(scene);
  const body = { version, fields: { title: `Changed ${unique()}` } };
  const path = `${project.management}/entries/${id}`;
  return must(app, { method: 'PUT', path, key: project.keys.management, body });
};

const deleted = async (scene: Scene) => {
  const { app, project } = scene;
  const path = `${project.management}/entries/${(await draft(scene)).id}`;
  return must(app, { method: 'DELETE', path, key: project.keys.management });
};

/** An entry with a job that waits. */
const waiting = async (scene: Scene) => {
  const { app, project } = scene;
  const { id } = await draft(scene);
  const body = { scheduledAt: '2099-01-01T00:00:00Z' };
  const path = `${project.management}/entries/${id}/publish`;
  const { jobId } = await must<{ jobId: string }>(app, {
    method: 'POST',
    path,
    key: project.keys.management,
    body,
  });
  return { id, jobId };
};

const onComment = (
  { app, project }: Scene,
  { entryId, commentId }: { entryId: string; commentId: string },
  suffix: string,
) => {
  const path = `${project.management}/entries/${entryId}/comments/${commentId}${suffix}`;
  return must(app, { method: 'POST', path, key: project.keys.management });
};

const comment = async (scene: Scene) => {
  const { app, project } = scene;
  const { id: entryId } = await draft(scene);
  const path = `${project.management}/entries/${entryId}/comments`;
  const body = { text: 'Is the height still right?' };
  const { id } = await must(app, { method: 'POST', path, key: project.keys.management, body });
  return { entryId, commentId: id };
};

/** An article whose new field `parts` has one item: a block, or a link to a shared one. */
const withBlock = async (scene: Scene, isShared: boolean) => {
  const { app, project } = scene;
  const [card, parts] = [`card_${unique()}`, `parts_${unique()}`];
  const fields = [{ apiName: 'title', type: 'text' }];
  await createType(app, project, { apiName: card, isBlock: true, fields });
  await must(app, {
    method: 'POST',
    path: `${project.management}/content-types/article/fields`,
    key: project.keys.management,
    body: { apiName: parts, name: 'Parts', type: 'blocks', settings: { contentTypes: [card] } },
  });
  const own = { _type: card, fields: { title: 'Block' } };
  const item = isShared
    ? { _ref: (await createEntry(app, project, { contentTypeApiName: card, fields: own.fields })).id }
    : own;
  const values = { title: `Page ${unique()}`, [parts]: [item] };
  const page = await createEntry(app, project, { contentTypeApiName: 'article', fields: values });
  const [block] = page.fields[parts] as { _ref: string }[];
  return { id: page.id, blockId: block?._ref ?? '' };
};

export const entries: Table<'entries'> = {
  list: {
    access: membersAndScoped('read'),
    example: inProject(async (scene) => {
      await draft(scene);
      return {};
    }),
    foreignIds: [
      at('site', 'siteId', 0),
      at('node', 'treeParentId', 0),
      quiet('user', 'createdBy', 0),
      quiet('user', 'updatedBy', 0),
    ],
  },
  create: {
    access: makers('create'),
    example: inProject(({ project }) => ({
      contentTypeApiName: 'article',
      siteId: project.siteId,
      fields: { title: 'New' },
    })),
    event: 'entry.created',
    foreignIds: [at('node', 'treeParentId'), quiet('entry', 'fields', 'author', '_ref')],
  },
  announce: {
    access: membersAndScoped('none'),
    example: inProject(async (scene) => ({ id: (await draft(scene)).id, locale: 'en', path: 'title' })),
  },
  get: {
    access: membersAndScoped('read'),
    example: inProject(async (scene) => ({ id: (await draft(scene)).id })),
  },
  update: {
    access: changers('update'),
    example: inProject(async (scene) => ({
      id: (await draft(scene)).id,
      version: 1,
      fields: { title: 'Changed' },
    })),
    event: 'entry.updated',
    foreignIds: [at('node', 'treeParentId')],
  },
  delete: {
    access: makers('delete'),
    example: inProject(async (scene) => ({ id: (await draft(scene)).id })),
    event: 'entry.deleted',
  },
  publish: {
    access: editors('publish'),
    example: inProject(async (scene) => ({ id: (await draft(scene)).id })),
    event: 'entry.published',
  },
  unpublish: {
    access: editors('unpublish'),
    example: inProject(async (scene) => ({ id: (await live(scene)).id })),
    event: 'entry.unpublished',
  },
  listSchedules: {
    access: membersAndScoped('read'),
    example: inProject(async (scene) => ({ id: (await waiting(scene)).id })),
  },
  cancelSchedule: {
    access: membersAndScoped('any'),
    example: inProject((scene) => waiting(scene)),
    event: 'entry.schedule_canceled',
  },
  duplicate: {
    access: makers('create'),
    example: inProject(async (scene) => ({ id: (await draft(scene)).id })),
    event: 'entry.created',
    foreignIds: [at('site', 'siteId'), at('node', 'treeParentId')],
  },
  copyLocale: {
    access: changers('update'),
    example: inProject(async (scene) => ({
      id: (await draft(scene)).id,
      fromLocale: 'en',
      toLocale: 'de',
    })),
    event: 'entry.updated',
  },
  editText: {
    access: changers('update'),
    example: inProject(async (scene) => {
      const { id, version } = await draft(scene);
      return { id, version, field: 'title', find: 'Draft', replace: 'Text' };
    }),
    event: 'entry.updated',
  },
  shareBlock: {
    access: changers('update'),
    example: inProject((scene) => withBlock(scene, false)),
    event: 'entry.created',
  },
  detachBlock: {
    access: changers('update'),
    example: inProject((scene) => withBlock(scene, true)),
    event: 'entry.updated',
  },
  getWorkflow: {
    access: membersAndScoped('read'),
    example: inProject(async (scene) => ({ id: (await draft(scene)).id })),
  },
  transition: {
    access: changers('update'),
    example: inProject(async (scene) => ({ id: (await draft(scene)).id, to: 'in_review' })),
    event: 'entry.workflow_changed',
    foreignIds: [at('user', 'assigneeId')],
  },
  listComments: {
    access: membersAndScoped('read'),
    example: inProject(async (scene) => ({ entryId: (await comment(scene)).entryId })),
    foreignIds: [at('entry', 'parentId')],
  },
  createComment: {
    access: changers('update'),
    example: inProject(async (scene) => ({ entryId: (await draft(scene)).id, text: 'Is this right?' })),
    event: 'comment.created',
    foreignIds: [at('entry', 'parentId')],
  },
  getComment: { access: membersAndScoped('read'), example: inProject(comment) },
  updateComment: {
    access: changers('update'),
    example: inProject(async (scene) => ({ ...(await comment(scene)), text: 'Changed' })),
    event: 'comment.updated',
  },
  deleteComment: { access: changers('update'), example: inProject(comment), event: 'comment.deleted' },
  resolveComment: { access: changers('update'), example: inProject(comment), event: 'comment.resolved' },
  reopenComment: {
    access: changers('update'),
    example: inProject(async (scene) => {
      const made = await comment(scene);
      await onComment(scene, made, '/resolve');
      return made;
    }),
    event: 'comment.reopened',
  },
  undelete: {
    access: makers('delete'),
    example: inProject(async (scene) => ({ id: (await deleted(scene)).id })),
    event: 'entry.restored',
  },
  preview: {
    access: membersAndScoped('read'),
    example: inProject(async (scene) => ({ id: (await draft(scene)).id })),
    foreignIds: [at('site', 'siteId')],
  },
  previewSite: {
    access: membersAndScoped('read'),
    example: inProject(({ project }) => Promise.resolve({ siteId: project.siteId })),
    foreignIds: [at('site', 'siteId'), at('entry', 'entryId')],
  },
  validate: {
    access: membersAndScoped('read'),
    example: inProject(async (scene) => ({ id: (await draft(scene)).id })),
  },
  listReferences: {
    access: membersAndScoped('read'),
    example: inProject(async (scene) => ({ id: (await draft(scene)).id })),
  },
  listDependencies: {
    access: membersAndScoped('read'),
    example: inProject(async (scene) => ({ id: (await draft(scene)).id })),
  },
  listVersions: {
    access: membersAndScoped('read'),
    example: inProject(async (scene) => ({ id: (await draft(scene)).id })),
  },
  getVersion: {
    access: membersAndScoped('read'),
    example: inProject(async (scene) => ({ id: (await draft(scene)).id, versionNum: 1 })),
  },
  diffVersions: {
    access: membersAndScoped('read'),
    example: inProject(async (scene) => ({ id: (await changed(scene)).id, from: 1 })),
  },
  restoreVersion: {
    access: changers('update'),
    example: inProject(async (scene) => ({ id: (await changed(scene)).id, versionNum: 1 })),
    event: 'entry.restored',
  },
  restore: {
    access: changers('update'),
    example: inProject(async (scene) => ({ id: (await changed(scene)).id, versionNum: 1 })),
    event: 'entry.restored',
  },
  batch: {
    access: membersAndScoped('any'),
    example: inProject(({ project: { siteId } }) => ({
      items: [
        {
          action: 'upsert',
          contentTypeApiName: 'article',
          siteId,
          externalId: unique(),
          fields: { title: 'New' },
        },
      ],
    })),
    event: 'entry.created',
    quietPositions: ['items.0.siteId'],
  },
  bulk: {
    access: membersAndScoped('any'),
    example: inProject(async (scene) => ({ action: 'publish', entryIds: [(await draft(scene)).id] })),
    event: 'entry.published',
    quietPositions: ['entryIds.0'],
  },
  getValues: {
    access: membersAndScoped('read'),
    example: inProject(async (scene) => ({ id: (await draft(scene)).id, locale: 'en' })),
  },
  search: {
    access: membersAndScoped('read'),
    example: inProject(async (scene) => {
      await draft(scene);
      return {};
    }),
  },
};

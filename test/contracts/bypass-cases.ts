import type { Response } from 'supertest';
import type { Desk } from '../support/desk.js';
import { filled } from '../support/filled-xliff.js';
import type { ApprovedPage } from './approved-page.js';

export interface Case {
  readonly operation: string;
  readonly how: string;
  /** Prepares what the call needs, with every right. */
  prepare?(scene: ApprovedPage): Promise<void>;
  call(scene: ApprovedPage, by: Desk): Promise<Response>;
}

/** Change the draft of an approved scene.page. */
export const ofDrafts: readonly (Case & { readonly draftOnly: string; readonly confirmation?: string })[] = [
  {
    operation: 'entries.update',
    how: 'changes a field',
    call: async (scene, by) =>
      by.put(`/entries/${scene.page.id}`, { version: await scene.version(), fields: { title: 'X' } }),
    draftOnly: '200',
  },
  {
    operation: 'entries.update',
    how: 'changes another locale',
    call: async (scene, by) =>
      by.put(`/entries/${scene.page.id}`, {
        version: await scene.version(),
        locale: 'fr',
        fields: { title: 'X' },
      }),
    draftOnly: '200',
  },
  {
    operation: 'entries.editText',
    how: 'replaces a passage of text',
    call: async (scene, by) =>
      by.post(`/entries/${scene.page.id}/edit-text`, {
        version: await scene.version(),
        field: 'title',
        find: scene.title,
        replace: 'X',
      }),
    draftOnly: '200',
  },
  {
    operation: 'entries.copyLocale',
    how: 'copies another locale over it',
    call: (scene, by) =>
      by.post(`/entries/${scene.page.id}/copy-locale`, { fromLocale: 'de', toLocale: 'en', overwrite: true }),
    draftOnly: '200',
  },
  {
    operation: 'entries.shareBlock',
    how: 'shares a block',
    prepare: (scene) => scene.addSection({ isShared: false }),
    call: (scene, by) => by.post(`/entries/${scene.page.id}/blocks/${scene.blockId}/share`, {}),
    draftOnly: '200',
  },
  {
    operation: 'entries.detachBlock',
    how: 'detaches a shared block',
    prepare: (scene) => scene.addSection({ isShared: true }),
    call: (scene, by) => by.post(`/entries/${scene.page.id}/blocks/${scene.blockId}/detach`, {}),
    draftOnly: '200',
  },
  {
    operation: 'entries.restoreVersion',
    how: 'restores an earlier version',
    call: (scene, by) => by.post(`/entries/${scene.page.id}/versions/1/restore`, {}),
    draftOnly: '200',
  },
  {
    operation: 'entries.restore',
    how: 'restores an earlier version',
    call: (scene, by) => by.post(`/entries/${scene.page.id}/restore`, { versionNum: 1 }),
    draftOnly: '200',
  },
  {
    operation: 'entries.batch',
    how: 'updates',
    call: async (scene, by) =>
      by.post('/entries/batch', {
        items: [
          { action: 'update', id: scene.page.id, version: await scene.version(), fields: { title: 'X' } },
        ],
      }),
    draftOnly: '200',
  },
  {
    operation: 'translations.import',
    how: 'writes a translation',
    call: async (scene, by) => {
      const path = `/translations/${scene.page.id}/fr`;
      const { text } = await scene.desk.get(`${path}/export?source=draft`);
      return by.post(`${path}/import`, { xliff: filled(text) });
    },
    draftOnly: 'permission_denied',
  },
  {
    operation: 'promotions.promote',
    how: 'takes the draft of a branch',
    prepare: (scene) => scene.changeInBranch(),
    call: (scene, by) => scene.promote(by),
    draftOnly: 'permission_denied',
    confirmation: 'confirmation_required',
  },
  {
    operation: 'promotions.rollback',
    how: 'takes a promotion back',
    prepare: (scene) => scene.takePromotion(),
    call: (scene, by) => by.post('/environments/main/rollback', { promotionId: scene.promotionId }),
    draftOnly: 'permission_denied',
    confirmation: 'confirmation_required',
  },
];

/** Change what is public at a path of a scene.page. */
export const ofPaths: readonly Case[] = [
  {
    operation: 'tree.updateNode',
    how: 'renames the folder above',
    prepare: (scene) => scene.moveIntoFolder(),
    call: (scene, by) => by.put(`/tree/nodes/${scene.folderId}`, { slug: `renamed-${scene.page.slug}` }),
  },
  {
    operation: 'entries.update',
    how: 'moves the page',
    call: async (scene, by) =>
      by.put(`/entries/${scene.page.id}`, {
        version: await scene.version(),
        treeParentId: scene.other.nodeId,
      }),
  },
  {
    operation: 'entries.bulk',
    how: 'moves the page',
    call: (scene, by) =>
      by.post('/entries/bulk', {
        action: 'move',
        entryIds: [scene.page.id],
        params: { treeParentId: scene.other.nodeId },
      }),
  },
  {
    operation: 'tree.moveNode',
    how: 'moves the page',
    call: (scene, by) => by.post(`/tree/nodes/${scene.page.nodeId}/move`, { parentId: scene.other.nodeId }),
  },
  {
    operation: 'tree.deleteNode',
    how: 'deletes the page',
    call: (scene, by) => by.delete(`/tree/nodes/${scene.page.nodeId}`),
  },
  {
    operation: 'sites.update',
    how: 'changes the style of all paths',
    call: (scene, by) => by.put('/sites/main', { localePathStrategy: 'prefix', defaultLocale: 'de' }),
  },
  {
    operation: 'sites.update',
    how: 'takes the site offline',
    call: (scene, by) => by.put('/sites/main', { isActive: false }),
  },
  {
    operation: 'entries.unpublish',
    how: 'unpublishes',
    call: (scene, by) => by.post(`/entries/${scene.page.id}/unpublish`, { locale: 'en' }),
  },
  {
    operation: 'entries.bulk',
    how: 'unpublishes',
    call: (scene, by) =>
      by.post('/entries/bulk', { action: 'unpublish', entryIds: [scene.page.id], params: { locale: 'en' } }),
  },
  {
    operation: 'entries.batch',
    how: 'unpublishes',
    call: (scene, by) => by.post('/entries/batch', { items: [{ action: 'unpublish', id: scene.page.id }] }),
  },
  {
    operation: 'entries.delete',
    how: 'deletes',
    call: (scene, by) => by.delete(`/entries/${scene.page.id}`),
  },
  {
    operation: 'entries.bulk',
    how: 'deletes',
    call: (scene, by) => by.post('/entries/bulk', { action: 'delete', entryIds: [scene.page.id] }),
  },
];

/** Make a draft public. A promotion that may not publish an entry still takes its draft. */
export const ofPublications: readonly (Case & { readonly unapproved?: string })[] = [
  {
    operation: 'entries.publish',
    how: 'publishes',
    call: (scene, by) => by.post(`/entries/${scene.page.id}/publish`, { locale: 'en' }),
  },
  {
    operation: 'entries.bulk',
    how: 'publishes',
    call: (scene, by) =>
      by.post('/entries/bulk', { action: 'publish', entryIds: [scene.page.id], params: { locale: 'en' } }),
  },
  {
    operation: 'entries.batch',
    how: 'publishes',
    call: (scene, by) =>
      by.post('/entries/batch', { items: [{ action: 'publish', id: scene.page.id, locale: 'en' }] }),
  },
  {
    operation: 'promotions.promote',
    how: 'publishes',
    prepare: (scene) => scene.changeInBranch(),
    call: (scene, by) => scene.promote(by, { publish: true }),
    unapproved: '200',
  },
  {
    operation: 'releases.publish',
    how: 'publishes',
    prepare: (scene) => scene.release(),
    call: (scene, by) => by.post(`/releases/${scene.releaseId}/publish`, {}),
    unapproved: 'release_invalid',
  },
  {
    operation: 'releases.schedule',
    how: 'publishes later',
    prepare: (scene) => scene.release(),
    call: (scene, by) =>
      by.post(`/releases/${scene.releaseId}/schedule`, { scheduledAt: '2199-01-01T00:00:00Z' }),
    unapproved: 'release_invalid',
  },
];

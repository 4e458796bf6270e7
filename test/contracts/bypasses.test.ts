import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { Desk, outcome, useApp } from '../support/desk.js';
import { createType } from '../support/factories/content.js';
import { createProject } from '../support/factories/project.js';
import { createPageType } from '../support/factories/tree.js';
import { operations } from '../support/operations.js';
import { verifies } from '../support/verifies.js';
import { change } from '../management/entries/history.js';
import { editorial, newWorkflow } from '../management/workflows/definitions.js';
import { ApprovedPage, ok } from './approved-page.js';
import { ofDrafts, ofPaths, ofPublications, type Case } from './bypass-cases.js';

const app = useApp();
let desk: Desk;
/** May change drafts only. */
let drafts: Desk;
/** Confirms what is public. */
let careful: Desk;
let scene: ApprovedPage;
let made = 0;

beforeAll(async () => {
  const project = await createProject(app());
  await createPageType(app(), project);
  const fields = [{ apiName: 'heading', type: 'text' }];
  await createType(app(), project, { apiName: 'section', isBlock: true, fields });
  desk = new Desk(app(), project);
  const sections = { apiName: 'sections', name: 'Sections', type: 'blocks', localized: false };
  ok(await desk.post('/content-types/page/fields', sections));
  await newWorkflow(desk, editorial({ enforcement: 'strict', contentTypes: ['page'] }));
  const key = async (limits: object) =>
    desk.as((await desk.newKey({ type: 'management', ...limits })).secret);
  drafts = await key({ draftOnly: true });
  careful = await key({ requireConfirmation: true });
});

beforeEach(async () => {
  made += 1;
  scene = await ApprovedPage.open(desk, `about${String(made)}`);
});

/** What a batch or bulk call says of its first item, else what the call answers. */
function result(response: Response): string {
  const { status, body } = response;
  const [first] = (body.data?.results ?? body.data?.items ?? []) as {
    ok?: boolean;
    error?: string | { code?: string };
  }[];
  const error = typeof first?.error === 'object' ? first.error.code : first?.error;
  return String(error ?? body.error ?? status);
}

const titled = <Of extends Case>(cases: readonly Of[]) =>
  cases.map((one): [string, Of] => [`${one.operation} ${one.how}`, one]);

/** Change neither the draft of an entry that exists nor what is public at a path, by the action that each resource has. */
const elsewhere: ReadonlySet<string> = new Set([
  // New entries and copies begin in the initial state, and are not public.
  ...['entries.create', 'entries.duplicate', 'entries.undelete', 'entries.preview', 'entries.cancelSchedule'],
  // Says where a user is, and writes nothing of the entry.
  'entries.announce',
  // A transition is the approval itself: test/management/workflows.
  'entries.transition',
  ...['createComment', 'updateComment', 'deleteComment', 'resolveComment', 'reopenComment'].map(
    (name) => `entries.${name}`,
  ),
  // New nodes have no pages, and sites with entries are not deleted.
  ...['tree.createNode', 'sites.create', 'sites.delete'],
  // A live page wins over a redirect at its path.
  ...['redirects.create', 'redirects.update', 'redirects.delete', 'redirects.import'],
  // Write what translations.import writes, or the status of a translation.
  ...['startImport', 'startExport', 'suggest', 'update', 'markStale'].map((name) => `translations.${name}`),
  // A job makes calls that are checked as all others: management/imports.
  ...['imports.start', 'imports.repeat', 'imports.cancel'],
  // When a schedule runs, the state is asked for again: test/management/schedules.
  ...['calendar.adopt', 'calendar.reschedule'],
  // Show drafts to those who have the token.
  'entries.previewSite',
  // An open release changes nothing; a rollback needs a publication: test/management/releases.
  ...[
    'create',
    'update',
    'delete',
    'addItems',
    'removeItem',
    'validate',
    'approve',
    'reopen',
    'rollback',
  ].map((name) => `releases.${name}`),
]);

/** Their rights are those of administrators, and content is not what they are about. */
const otherResources: ReadonlySet<string> = new Set([
  ...['contentTypes', 'fields', 'customFieldTypes', 'schema', 'workflows', 'environments', 'locales'],
  ...['media', 'mediaFolders', 'mediaUploads', 'apiKeys', 'roles', 'users', 'ipAllowlist', 'views'],
  ...[
    'webhooks',
    'personalKeys',
    'governance',
    'customReports',
    'search',
    'projects',
    'audit',
    'reports',
    'me',
  ],
]);

describe('Every mutation of management', () => {
  it('is one of these cases, or changes no draft and nothing public', () => {
    const walked = new Set([...ofDrafts, ...ofPaths, ...ofPublications].map(({ operation }) => operation));
    const left = operations
      .filter(({ kind, meta }) => kind === 'mutation' && meta.audience === 'management')
      .map(({ name }) => name)
      .filter((name) => !otherResources.has(name.split('.')[0] ?? ''));
    expect(left.filter((name) => walked.has(name) === elsewhere.has(name))).toEqual([]);
    const names = new Set(left);
    expect([...walked, ...elsewhere].filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('An approved page in a strict workflow', () => {
  verifies('workflows/promotion');

  it.each(titled(ofDrafts))('returns to the initial state when %s', async (_title, { prepare, call }) => {
    await prepare?.(scene);
    expect(result(await call(scene, desk))).toBe('200');
    expect(await scene.state()).toBe('draft');
    expect(outcome(await desk.post(`/entries/${scene.page.id}/publish`, {}))).toEqual([
      409,
      'workflow_not_approved',
    ]);
    expect(await scene.served()).toBe(scene.title);
  });

  it.each(titled(ofPublications))(
    'keeps its public text until a change is approved, also when %s',
    async (_title, { prepare, call, unapproved }) => {
      ok(await change(desk, scene.page.id, { fields: { title: 'Not approved' } }));
      await prepare?.(scene);
      expect(result(await call(scene, desk))).toBe(unapproved ?? 'workflow_not_approved');
      expect(await scene.served()).toBe(scene.title);
    },
  );
});

describe('A key that may change drafts only', () => {
  it.each(titled([...ofPaths, ...ofPublications]))('changes nothing public when %s', async (_title, one) => {
    await one.prepare?.(scene);
    expect(result(await one.call(scene, drafts))).toBe('permission_denied');
    expect([await scene.served(), await scene.state()]).toEqual([scene.title, 'approved']);
  });

  it.each(titled(ofDrafts))('changes at most the draft when %s', async (_title, one) => {
    await one.prepare?.(scene);
    const before = await scene.state();
    expect(result(await one.call(scene, drafts))).toBe(one.draftOnly);
    expect([await scene.served(), await scene.state()]).toEqual([
      scene.title,
      one.draftOnly === '200' ? 'draft' : before,
    ]);
  });
});

describe('A key that must confirm', () => {
  it.each(titled([...ofPaths, ...ofPublications]))(
    'changes nothing public before it confirms when %s',
    async (_title, one) => {
      await one.prepare?.(scene);
      expect(result(await one.call(scene, careful))).toBe('confirmation_required');
      expect([await scene.served(), await scene.state()]).toEqual([scene.title, 'approved']);
    },
  );

  it.each(titled(ofDrafts))('changes at most the draft when %s', async (_title, one) => {
    await one.prepare?.(scene);
    expect(result(await one.call(scene, careful))).toBe(one.confirmation ?? '200');
    expect(await scene.served()).toBe(scene.title);
  });
});

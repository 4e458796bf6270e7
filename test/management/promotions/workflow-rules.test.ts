import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { branch } from '../../support/factories/branch.js';
import { createRole } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { article, change, now } from '../entries/history.js';
import {
  editorial,
  editorRole,
  member,
  moveTo,
  newWorkflow,
  state,
  stateOf,
  step,
} from '../workflows/definitions.js';

const app = useApp();

interface Scene {
  readonly desk: Desk;
  /** The same key in a branch of main. */
  readonly branched: Desk;
  readonly slug: string;
  readonly id: string;
}

/** An article in a strict workflow, approved and published in main before the branch is made. */
async function approvedArticle(workflow: object = {}): Promise<Scene> {
  const desk = await openDesk(app());
  await newWorkflow(desk, editorial({ enforcement: 'strict', ...workflow }));
  const { id } = await article(desk);
  await moveTo(desk, id, 'review');
  await moveTo(desk, id, 'approved');
  expect((await desk.post(`/entries/${id}/publish`)).status).toBe(200);
  const slug = await branch(desk);
  return { desk, branched: desk.in(slug), slug, id };
}

/** An article in review, whose approval needs two approvals. */
async function articleInReview(): Promise<Pick<Scene, 'desk' | 'id'>> {
  const desk = await openDesk(app());
  const approvals = { required: 2 };
  const steps = [step('draft', 'review'), step('review', 'approved', { approvals })];
  await newWorkflow(desk, editorial({ enforcement: 'strict', transitions: steps }));
  const { id } = await article(desk);
  await moveTo(desk, id, 'review');
  return { desk, id };
}

const promote = (desk: Desk, slug: string, body: object): Promise<Response> =>
  desk.post(`/environments/${slug}/promote`, { mode: 'cherryPick', includeDependencies: false, ...body });

const entryItem = (id: string) => ({ items: [{ kind: 'entry', id }] });

describe('Promotion into an environment with workflows', () => {
  verifies('workflows/promotion');

  it('returns approved content that it changes to the initial state', async () => {
    const { desk, branched, slug, id } = await approvedArticle();
    await change(branched, id, { fields: { title: 'Changed' } });
    expect(outcome(await promote(desk, slug, entryItem(id)))).toEqual([200, undefined]);
    expect((await now(desk, id)).fields).toMatchObject({ title: 'Changed' });
    expect(await stateOf(desk, id)).toBe('draft');
    expect(outcome(await desk.post(`/entries/${id}/publish`))).toEqual([409, 'workflow_not_approved']);
    const { body } = await desk.get(`/entries/${id}/workflow`);
    expect(body.data.history[0]).toMatchObject({ from: 'approved', to: 'draft' });
  });

  it('keeps the approval of content that it does not change', async () => {
    const { desk, branched, slug, id } = await approvedArticle();
    const other = await article(branched, { title: 'Another' });
    expect(outcome(await promote(desk, slug, entryItem(other.id)))).toEqual([200, undefined]);
    expect(await stateOf(desk, id)).toBe('approved');
  });

  it('returns an entry that gets another locale, in all its locales', async () => {
    const { desk, branched, slug, id } = await approvedArticle();
    await change(branched, id, { locale: 'de', fields: { title: 'Titel' } });
    expect(outcome(await promote(desk, slug, entryItem(id)))).toEqual([200, undefined]);
    expect([await stateOf(desk, id), await stateOf(desk, id, '?locale=de')]).toEqual(['draft', 'draft']);
  });

  it('returns only the changed locale where each has its own state', async () => {
    const { desk, branched, slug, id } = await approvedArticle({ perLocale: true });
    await change(branched, id, { locale: 'de', fields: { title: 'Titel' } });
    expect(outcome(await promote(desk, slug, entryItem(id)))).toEqual([200, undefined]);
    expect([await stateOf(desk, id), await stateOf(desk, id, '?locale=de')]).toEqual(['approved', 'draft']);
  });

  it('does not publish what the strict workflow has not approved, whatever workflow it brings', async () => {
    const { desk, branched, slug, id } = await approvedArticle();
    await branched.put('/workflows/editorial', { enforcement: 'advisory' });
    await change(branched, id, { fields: { title: 'Changed' } });
    expect((await branched.post(`/entries/${id}/publish`)).status).toBe(200);
    const asked = [
      await promote(desk, slug, { ...entryItem(id), publish: true }),
      await promote(desk, slug, { ...entryItem(id), publish: true, dryRun: true }),
      await desk.post(`/environments/${slug}/promote`, { mode: 'full', publish: true }),
    ];
    expect(asked.map(outcome)).toEqual(asked.map(() => [409, 'workflow_not_approved']));
    expect((await now(desk, id)).fields).toMatchObject({ title: 'Title' });
  });

  it('lets an approval that is pending lapse, also by a whole new locale', async () => {
    const { desk, id } = await articleInReview();
    const reviewer = await member(desk, await editorRole(desk));
    await moveTo(reviewer.desk, id, 'approved');
    const slug = await branch(desk);
    await change(desk.in(slug), id, { locale: 'de', fields: { title: 'Titel' } });
    expect(outcome(await promote(desk, slug, entryItem(id)))).toEqual([200, undefined]);
    const { pendingApprovals } = (await desk.get(`/entries/${id}/workflow`)).body.data;
    expect(pendingApprovals).toMatchObject([{ approvals: [{ isLapsed: true }] }]);
  });

  it('is refused for entries in a state that is reserved for other roles', async () => {
    const desk = await openDesk(app());
    const chief = await createRole(app(), desk.project, []);
    const states = [
      state('draft', { isInitial: true }),
      state('review', { editableBy: [chief] }),
      state('approved', { allowsPublish: true }),
    ];
    await newWorkflow(desk, editorial({ states }));
    const { id } = await article(desk);
    const slug = await branch(desk);
    await change(desk.in(slug), id, { fields: { title: 'Changed' } });
    await moveTo(desk, id, 'review');
    const refused = [
      await promote(desk, slug, entryItem(id)),
      await promote(desk, slug, { ...entryItem(id), dryRun: true }),
    ];
    expect(refused.map(outcome)).toEqual(refused.map(() => [403, 'permission_denied']));
    await desk.in(slug).delete(`/entries/${id}`);
    expect(outcome(await promote(desk, slug, entryItem(id)))[0]).toBe(403);
    expect((await now(desk, id)).fields).toMatchObject({ title: 'Title' });
  });
});

describe('Rolling back a promotion into an environment with workflows', () => {
  verifies('workflows/rollback');

  const promoted = async (desk: Desk, slug: string, id: string): Promise<string> => {
    const { body } = await promote(desk, slug, entryItem(id));
    return (body as { data: { promotionId: string } }).data.promotionId;
  };

  const rollback = (desk: Desk, promotionId: string, slug = 'main') =>
    desk.post(`/environments/${slug}/rollback`, { promotionId });

  it('returns content that it changes to the initial state, though it was approved before', async () => {
    const { desk, branched, slug, id } = await approvedArticle();
    await change(branched, id, { fields: { title: 'Changed' } });
    const promotionId = await promoted(desk, slug, id);
    expect(outcome(await rollback(desk, promotionId))).toEqual([200, undefined]);
    expect((await now(desk, id)).fields).toMatchObject({ title: 'Title' });
    expect(await stateOf(desk, id)).toBe('draft');
    expect(outcome(await desk.post(`/entries/${id}/publish`))).toEqual([409, 'workflow_not_approved']);
    const { body } = await desk.get(`/entries/${id}/versions`);
    expect((body.data as object[])[0]).toMatchObject({ changeType: 'restore', changedFields: ['title'] });
  });

  it('keeps the approval of content that it does not change', async () => {
    const { desk, branched, slug, id } = await approvedArticle();
    await branched.post('/content-types/article/fields/title/rename', { apiName: 'headline' });
    const full = await desk.post(`/environments/${slug}/promote`, { mode: 'full' });
    expect((await now(desk, id)).fields).toMatchObject({ headline: 'Title' });
    const { promotionId } = (full.body as { data: { promotionId: string } }).data;
    expect(outcome(await rollback(desk, promotionId))).toEqual([200, undefined]);
    expect((await now(desk, id)).fields).toMatchObject({ title: 'Title' });
    expect(await stateOf(desk, id)).toBe('approved');
  });

  it('returns only the changed locale where each has its own state', async () => {
    const { desk, branched, slug, id } = await approvedArticle({ perLocale: true });
    await change(desk, id, { locale: 'de', fields: { title: 'Titel' } });
    await desk.post(`/entries/${id}/workflow?locale=de`, { to: 'review', locale: 'de' });
    await desk.post(`/entries/${id}/workflow?locale=de`, { to: 'approved', locale: 'de' });
    await change(branched, id, { locale: 'fr', fields: { title: 'Titre' } });
    await change(branched, id, { locale: 'en', fields: { title: 'Changed' } });
    const promotionId = await promoted(desk, slug, id);
    expect(await stateOf(desk, id, '?locale=de')).toBe('approved');
    expect(outcome(await rollback(desk, promotionId))).toEqual([200, undefined]);
    expect([await stateOf(desk, id), await stateOf(desk, id, '?locale=de')]).toEqual(['draft', 'approved']);
  });

  it('lets an approval lapse that was given to what was promoted', async () => {
    const { desk, id } = await articleInReview();
    const slug = await branch(desk);
    await change(desk.in(slug), id, { fields: { title: 'Changed' } });
    const promotionId = await promoted(desk, slug, id);
    const reviewer = await member(desk, await editorRole(desk));
    expect((await moveTo(reviewer.desk, id, 'approved')).status).toBe(200);
    expect(outcome(await rollback(desk, promotionId))).toEqual([200, undefined]);
    const { pendingApprovals } = (await desk.get(`/entries/${id}/workflow`)).body.data;
    expect(pendingApprovals).toMatchObject([{ approvals: [{ isLapsed: true }] }]);
  });
});

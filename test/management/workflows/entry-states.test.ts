import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { article, change, now } from '../entries/history.js';
import { editorial, editorRole, member, moveTo, newWorkflow, state, stateOf, step } from './definitions.js';

const app = useApp();

describe('Content', () => {
  verifies('workflows/changed-content');

  it('that was approved returns to the initial state when it changes', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await moveTo(desk, id, 'in_review');
    await change(desk, id, { fields: { title: 'In review' } });
    expect(await stateOf(desk, id)).toBe('in_review');
    await moveTo(desk, id, 'approved');
    await change(desk, id, { fields: { title: 'In review' } });
    expect(await stateOf(desk, id)).toBe('approved');
    const changed = await change(desk, id, { locale: 'de', fields: { title: 'Neu' } });
    expect(changed.body.data.workflow.state).toBe('draft');
    const { data } = (await desk.get(`/entries/${id}/workflow`)).body;
    expect([data.state, data.history[0].from]).toEqual(['draft', 'approved']);
  });

  it('in a state keeps it when a locale is added', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await moveTo(desk, id, 'in_review');
    await change(desk, id, { locale: 'de', fields: { title: 'Neu' } });
    const rows = await app().rows<{ workflow_state: string }>(
      desk.project.tenantId,
      'SELECT workflow_state FROM entry_locales WHERE entry_id = $1',
      [id],
    );
    expect(rows.map(({ workflow_state }) => workflow_state)).toEqual(['in_review', 'in_review']);
  });
});

describe('Lists of entries', () => {
  verifies('lists/filters-by-workflow-state');

  it('are filtered and counted by state and assignee, with stored and with counted totals', async () => {
    const desk = await openDesk(app());
    const user = await member(desk, await editorRole(desk));
    await newWorkflow(desk, editorial({ contentTypes: ['author'] }));
    const [first, second, third] = await Promise.all([article(desk), article(desk), article(desk)]);
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    await moveTo(desk, first.id, 'in_review', { assigneeId: user.id });
    await moveTo(desk, author.id, 'review');
    await publish(app(), desk.project, second.id);
    const found = async (query: string) => {
      const { body } = await desk.get(`/entries?orderBy=createdAt:asc&${query}`);
      const ids = (body.data as { id: string }[]).map(({ id }) => id).sort();
      expect(body.meta.total).toBe(ids.length);
      return ids;
    };
    const drafts = [second.id, third.id].sort();
    expect(await found('workflowState=in_review')).toEqual([first.id]);
    expect(await found('workflowState=draft')).toEqual(drafts);
    expect(await found('workflowState=draft&q=title')).toEqual(drafts);
    expect(await found('workflowState=draft&status=published')).toEqual([second.id]);
    expect(await found('workflowState=review,in_review')).toEqual([first.id, author.id].sort());
    expect(await found('workflowState=gone')).toEqual([]);
    expect(await found(`assigneeId=${user.id}`)).toEqual([first.id]);
    const facets = async (query: string) =>
      (await desk.get(`/entries?facets=status,workflowState&${query}`)).body.meta.facets;
    const all = { status: { draft: 3, published: 1 }, workflowState: { draft: 2, in_review: 1, review: 1 } };
    expect(await facets('')).toEqual(all);
    expect(await facets('updatedAfter=2020-01-01T00:00:00Z')).toEqual(all);
    expect(await facets('contentTypeApiName=author')).toEqual({
      status: { draft: 1 },
      workflowState: { review: 1 },
    });
    await desk.delete(`/entries/${first.id}`);
    expect(await found('workflowState=in_review')).toEqual([]);
    expect(await found('workflowState=in_review&deleted=true')).toEqual([first.id]);
  });
});

describe('A changed workflow', () => {
  verifies('workflows/states-in-use');

  it('keeps states that entries are in', async () => {
    const desk = await openDesk(app());
    await newWorkflow(desk);
    const { id } = await article(desk);
    await moveTo(desk, id, 'review');
    const states = [state('draft', { isInitial: true }), state('approved', { allowsPublish: true })];
    const smaller = { states, transitions: [step('draft', 'approved')] };
    const refused = await desk.put('/workflows/editorial', smaller);
    expect(outcome(refused)).toEqual([409, 'workflow_state_in_use']);
    expect(refused.body.details).toEqual({ states: [{ state: 'review', locales: 1 }] });
    expect(outcome(await desk.delete('/workflows/editorial'))).toEqual([409, 'workflow_in_use']);
    expect(outcome(await desk.put('/workflows/editorial', { contentTypes: [] }))).toEqual([
      409,
      'workflow_state_in_use',
    ]);
    await moveTo(desk, id, 'draft');
    expect((await desk.put('/workflows/editorial', smaller)).status).toBe(200);
    expect((await desk.delete('/workflows/editorial')).status).toBe(200);
    expect((await now(desk, id)).workflow).toEqual({ slug: 'default', state: 'draft' });
  });

  it('is not applied by a content type while entries are in states that it lacks', async () => {
    const desk = await openDesk(app());
    await newWorkflow(desk);
    const states = [state('draft', { isInitial: true }), state('approved', { allowsPublish: true })];
    const transitions = [step('draft', 'approved')];
    await newWorkflow(desk, editorial({ slug: 'short', contentTypes: [], states, transitions }));
    const [inReview, other] = [await article(desk), await article(desk)];
    await moveTo(desk, inReview.id, 'review');
    const refused = await desk.put('/content-types/article', { workflowSlug: 'short' });
    expect(outcome(refused)).toEqual([409, 'workflow_state_in_use']);
    expect(refused.body.details).toEqual({ states: [{ state: 'review', locales: 1 }] });
    await moveTo(desk, inReview.id, 'approved');
    expect((await desk.put('/content-types/article', { workflowSlug: 'short' })).status).toBe(200);
    expect((await now(desk, inReview.id)).workflow).toEqual({ slug: 'short', state: 'approved' });
    expect((await now(desk, other.id)).workflow).toEqual({ slug: 'short', state: 'draft' });
  });

  it('keeps entries where they are when another state becomes the initial one', async () => {
    const desk = await openDesk(app());
    await newWorkflow(desk);
    const old = await article(desk);
    const states = [
      state('idea', { isInitial: true }),
      state('draft'),
      state('approved', { allowsPublish: true }),
    ];
    await desk.put('/workflows/editorial', {
      states,
      transitions: [step('idea', 'draft'), step('draft', 'approved'), step('approved', 'idea')],
    });
    const fresh = await article(desk);
    expect([await stateOf(desk, old.id), await stateOf(desk, fresh.id)]).toEqual(['draft', 'idea']);
    await moveTo(desk, old.id, 'approved');
    await change(desk, old.id, { fields: { title: 'Changed' } });
    expect(await stateOf(desk, old.id)).toBe('idea');
    await moveTo(desk, fresh.id, 'draft');
    expect(await stateOf(desk, fresh.id)).toBe('draft');
  });

  it('starts entries again in a workflow that does not know their initial state', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const states = [state('idea', { isInitial: true }), state('ready', { allowsPublish: true })];
    await newWorkflow(desk, editorial({ states, transitions: [step('idea', 'ready')] }));
    expect(await stateOf(desk, id)).toBe('idea');
    await moveTo(desk, id, 'ready');
    await desk.delete(`/entries/${id}`);
    expect((await desk.delete('/workflows/editorial')).status).toBe(200);
    await desk.post(`/entries/${id}/undelete`, {});
    expect((await now(desk, id)).workflow).toEqual({ slug: 'default', state: 'draft' });
  });

  it('gives entries one state when states are no longer per locale', async () => {
    const desk = await openDesk(app());
    await newWorkflow(desk, editorial({ perLocale: true }));
    const { id } = await article(desk);
    await change(desk, id, { locale: 'de', fields: { title: 'Titel' } });
    await moveTo(desk, id, 'review', { locale: 'de' });
    await desk.put('/workflows/editorial', { perLocale: false });
    expect([await stateOf(desk, id), await stateOf(desk, id, '?locale=de')]).toEqual(['draft', 'draft']);
  });
});

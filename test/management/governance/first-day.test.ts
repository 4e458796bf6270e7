import { describe, expect, it } from '@jest/globals';
import { createEntry } from '../../support/factories/content.js';
import { openDesk, outcome, useApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { article } from '../entries/history.js';
import { editorial, moveTo } from '../workflows/definitions.js';
import { found, published } from './analyst.js';

const app = useApp();

describe('Skipped workflows of types that only the default workflow applies to', () => {
  verifies('governance/skipped-workflows');

  it('are no issue until an entry of the type is moved through a workflow, then all of its live entries are', async () => {
    const desk = await openDesk(app());
    const id = await published(desk);
    expect(await found(desk, 'skipped_workflow', id)).toBeUndefined();
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ann' },
    });
    expect((await moveTo(desk, author.id, 'in_review')).status).toBe(200);
    expect(await found(desk, 'skipped_workflow', id)).toBeUndefined();
    const other = await article(desk);
    expect((await moveTo(desk, other.id, 'in_review')).status).toBe(200);
    expect(await found(desk, 'skipped_workflow', id)).toMatchObject({
      status: 'open',
      evidence: { locales: [{ state: 'draft', workflow: 'default' }] },
    });
  });

  it('are an issue at once where the type names the workflow, and none where it names none', async () => {
    const desk = await openDesk(app());
    const id = await published(desk);
    expect(await found(desk, 'skipped_workflow', id)).toBeUndefined();
    await desk.put('/content-types/article', { workflowSlug: 'default' });
    expect(await found(desk, 'skipped_workflow', id)).toMatchObject({ status: 'open' });
    expect((await desk.put('/content-types/article', { workflowSlug: 'none' })).status).toBe(200);
    expect(await found(desk, 'skipped_workflow', id)).toMatchObject({ status: 'resolved' });
  });
});

describe('Content types without a workflow', () => {
  verifies('workflows/choice-none');

  it('have entries without a state and without transitions, which are published freely', async () => {
    const desk = await openDesk(app());
    expect((await desk.put('/content-types/article', { workflowSlug: 'none' })).status).toBe(200);
    const { id } = await article(desk);
    expect((await desk.get(`/entries/${id}`)).body.data.workflow).toBeNull();
    expect((await desk.get(`/entries/${id}/workflow`)).body.data).toMatchObject({
      workflowSlug: null,
      state: null,
      availableTransitions: [],
      history: [],
    });
    expect(outcome(await moveTo(desk, id, 'in_review'))).toEqual([409, 'invalid_transition']);
    expect(outcome(await desk.post(`/entries/${id}/publish`))).toEqual([200, undefined]);
  });

  it('give their entries states and governance issues as soon as they name a workflow', async () => {
    const desk = await openDesk(app());
    await desk.put('/content-types/article', { workflowSlug: 'none' });
    const id = await published(desk);
    expect(await found(desk, 'skipped_workflow', id)).toBeUndefined();
    expect((await desk.put('/content-types/article', { workflowSlug: 'default' })).status).toBe(200);
    const workflow = { slug: 'default', state: 'draft' };
    expect((await desk.get(`/entries/${id}`)).body.data.workflow).toMatchObject(workflow);
    expect((await desk.get(`/entries/${id}/workflow`)).body.data).toMatchObject({
      workflowSlug: 'default',
      state: 'draft',
      availableTransitions: [expect.objectContaining({ to: 'in_review' })],
    });
    expect((await desk.get('/entries?workflowState=draft')).body.meta.total).toBe(1);
    expect(await found(desk, 'skipped_workflow', id)).toMatchObject({ status: 'open' });
    expect((await moveTo(desk, id, 'in_review')).status).toBe(200);
  });

  it('are not made while entries are in other states than the initial one', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await moveTo(desk, id, 'in_review');
    const asked = await desk.put('/content-types/article', { workflowSlug: 'none' });
    expect(outcome(asked)).toEqual([409, 'workflow_state_in_use']);
  });

  it('cannot be confused with a workflow of that slug', async () => {
    const desk = await openDesk(app());
    for (const body of [editorial({ slug: 'none' }), { ...editorial(), slug: undefined, name: 'None' }])
      expect(outcome(await desk.post('/workflows', body))).toEqual([422, 'reserved_slug']);
  });
});

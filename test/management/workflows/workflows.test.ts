import { describe, expect, it } from '@jest/globals';
import { column, issues, openDesk, outcome, useApp } from '../../support/desk.js';
import { createRole } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { article, now } from '../entries/history.js';
import { editorial, newWorkflow, state, step } from './definitions.js';

const app = useApp();
const unknown = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a00';

describe('Workflows', () => {
  verifies('workflows/operations', 'workflows/definition');

  it('include the default one of every project, which entries start in', async () => {
    const desk = await openDesk(app());
    const { body } = await desk.get('/workflows');
    expect(body.data).toEqual([
      expect.objectContaining({
        slug: 'default',
        isDefault: true,
        enforcement: 'advisory',
        perLocale: false,
        contentTypes: [],
      }),
    ]);
    expect(body.data[0].states.map(({ key }: { key: string }) => key)).toEqual([
      'draft',
      'in_review',
      'approved',
    ]);
    const { id } = await article(desk);
    expect(await now(desk, id)).toMatchObject({
      workflow: { slug: 'default', state: 'draft' },
      assigneeId: null,
    });
  });

  it('are created with defaults, read, listed, updated and deleted', async () => {
    const desk = await openDesk(app());
    const roleId = await createRole(app(), desk.project, []);
    const made = await newWorkflow(desk, editorial({ siteIds: [desk.project.siteId] }));
    expect(made.headers.location).toMatch(/\/workflows\/editorial$/);
    const { data } = made.body;
    expect(data).toMatchObject({
      slug: 'editorial',
      isDefault: false,
      enforcement: 'advisory',
      contentTypes: ['article'],
      siteIds: [desk.project.siteId],
    });
    expect(data.states[0]).toEqual({
      key: 'draft',
      name: 'draft',
      color: null,
      isInitial: true,
      allowsPublish: false,
      editableBy: [],
    });
    expect(data.transitions[0]).toEqual({
      from: 'draft',
      to: 'review',
      name: 'review',
      roleIds: [],
      requireComment: false,
      requireAssignee: false,
      approvals: null,
    });
    expect((await desk.get('/workflows/editorial')).body.data).toEqual(data);
    expect(column(await desk.get('/workflows?q=editor'), 'slug')).toEqual(['editorial']);
    const transitions = [
      step('draft', 'review'),
      step('review', 'approved', { roleIds: [roleId.toUpperCase()], approvals: { required: 2 } }),
    ];
    const changed = await desk.put('/workflows/editorial', { enforcement: 'strict', transitions });
    expect(changed.body.data).toMatchObject({ enforcement: 'strict', name: 'Editorial' });
    expect(changed.body.data.transitions[1]).toMatchObject({
      roleIds: [roleId],
      approvals: { required: 2, roleIds: [], distinctFromAuthor: true },
    });
    expect(outcome(await desk.delete(`/roles/${roleId}`))).toEqual([409, 'role_in_use']);
    expect((await desk.delete('/workflows/editorial')).body.data).toEqual({ id: data.id, deleted: true });
    expect(outcome(await desk.get('/workflows/editorial'))).toEqual([404, 'workflow_not_found']);
    expect((await desk.delete(`/roles/${roleId}`)).status).toBe(200);
    const { body } = await desk.get(`/audit-events?targetId=${data.id}`);
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'workflow.delete',
      'workflow.update',
      'workflow.create',
    ]);
  });

  it.each([
    ['no states', { states: [] }, [['states', 'too_small']]],
    ['no initial state', { states: [state('draft')], transitions: [] }, [['states', 'no_initial_state']]],
    [
      'two initial states',
      { states: [state('a', { isInitial: true }), state('b', { isInitial: true })], transitions: [] },
      [['states.1.isInitial', 'several_initial_states']],
    ],
    [
      'a repeated state and transition',
      {
        states: [state('a', { isInitial: true }), state('b'), state('b')],
        transitions: [step('a', 'b'), step('a', 'b')],
      },
      [
        ['states.2.key', 'duplicate'],
        ['transitions.1', 'duplicate'],
      ],
    ],
    [
      'transitions to nowhere and to themselves',
      { transitions: [step('draft', 'gone'), step('review', 'review')] },
      [
        ['transitions.0.to', 'unknown_state'],
        ['transitions.1.to', 'same_state'],
      ],
    ],
    [
      'an unreachable state',
      { transitions: [step('draft', 'approved')] },
      [['states.1', 'unreachable_state']],
    ],
    [
      'a cycle that publishing cannot be reached from',
      {
        states: [state('draft', { isInitial: true, allowsPublish: true }), state('a'), state('b')],
        transitions: [step('draft', 'a'), step('a', 'b'), step('b', 'a')],
      },
      [['transitions', 'cycle_without_publish']],
    ],
  ])('refuse %s', async (_name, body, expected) => {
    const desk = await openDesk(app());
    const response = await desk.post('/workflows', editorial(body));
    expect(outcome(response)).toEqual([422, 'validation_failed']);
    expect(issues(response)).toEqual(expected);
  });

  it('name the cycle that they refuse', async () => {
    const desk = await openDesk(app());
    const states = [state('a', { isInitial: true }), state('b'), state('c')];
    const transitions = [step('a', 'b'), step('b', 'c'), step('c', 'b')];
    const response = await desk.post('/workflows', editorial({ states, transitions }));
    expect(response.body.details.issues[0].message).toContain('b → c → b');
  });

  it('refuse roles, sites and content types that do not exist, and a second workflow for a type', async () => {
    const desk = await openDesk(app());
    const roleIds = [unknown];
    for (const [body, code] of [
      [{ transitions: [step('draft', 'review', { roleIds }), step('review', 'approved')] }, 'role_not_found'],
      [{ siteIds: [unknown] }, 'site_not_found'],
      [{ contentTypes: ['gone'] }, 'content_type_not_found'],
    ] as const)
      expect(outcome(await desk.post('/workflows', editorial(body)))).toEqual([404, code]);
    await newWorkflow(desk);
    expect(outcome(await desk.post('/workflows', editorial({ contentTypes: [] })))).toEqual([
      409,
      'slug_conflict',
    ]);
    expect(issues(await desk.post('/workflows', editorial({ slug: 'second' })))).toEqual([
      ['contentTypes.0', 'already_assigned'],
    ]);
  });

  it('have one default, which cannot be deleted', async () => {
    const desk = await openDesk(app());
    await newWorkflow(desk, editorial({ contentTypes: [], isDefault: true }));
    expect((await desk.get('/workflows/default')).body.data.isDefault).toBe(false);
    expect(outcome(await desk.delete('/workflows/editorial'))).toEqual([409, 'workflow_in_use']);
    const { id } = await article(desk);
    expect((await now(desk, id)).workflow).toEqual({ slug: 'editorial', state: 'draft' });
    expect((await desk.put('/workflows/default', { isDefault: true })).body.data.isDefault).toBe(true);
    expect((await desk.delete('/workflows/editorial')).status).toBe(200);
    expect((await now(desk, id)).workflow).toEqual({ slug: 'default', state: 'draft' });
  });
});

describe('The workflow of a content type', () => {
  verifies('workflows/choice');

  it('is the one it names, else the one that names it, else the default one', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const current = async () => (await now(desk, id)).workflow?.slug;
    expect(await current()).toBe('default');
    await newWorkflow(desk);
    expect(await current()).toBe('editorial');
    await newWorkflow(desk, editorial({ slug: 'legal', contentTypes: [] }));
    expect((await desk.put('/content-types/article', { workflowSlug: 'legal' })).body.data.workflowSlug).toBe(
      'legal',
    );
    expect(await current()).toBe('legal');
    expect(outcome(await desk.delete('/workflows/legal'))).toEqual([409, 'workflow_in_use']);
    expect(outcome(await desk.put('/content-types/article', { workflowSlug: 'gone' }))).toEqual([
      404,
      'workflow_not_found',
    ]);
    await desk.put('/content-types/article', { workflowSlug: null });
    expect(await current()).toBe('editorial');
    await desk.delete(`/entries/${id}`);
    const check = await desk.get('/content-types/article/delete-check');
    expect(check.body.data).toMatchObject({
      workflowCount: 1,
      blockers: expect.arrayContaining(['in_workflow']),
    });
    expect(outcome(await desk.delete('/content-types/article'))).toEqual([409, 'content_type_in_use']);
  });

  it('applies on its sites only, which then cannot be deleted', async () => {
    const desk = await openDesk(app());
    const other = await desk.post('/sites', { slug: 'other', name: 'Other' });
    await newWorkflow(desk, editorial({ siteIds: [other.body.data.id] }));
    const here = await article(desk);
    const there = await article(desk, { title: 'There' }, { siteId: other.body.data.id });
    expect((await now(desk, here.id)).workflow?.slug).toBe('default');
    expect((await now(desk, there.id)).workflow?.slug).toBe('editorial');
    await desk.delete(`/entries/${there.id}`);
    expect(outcome(await desk.delete('/sites/other'))).toEqual([409, 'site_not_empty']);
  });
});

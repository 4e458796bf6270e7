import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createRole } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { article, change } from '../entries/history.js';
import {
  actions,
  editorial,
  editorRole,
  member,
  moveTo,
  newWorkflow,
  state,
  stateOf,
  step,
  type User,
} from './definitions.js';

const app = useApp();

describe('Approvals', () => {
  verifies('workflows/approvals', 'workflows/authors');

  /** An entry in review that two reviewers must approve. */
  const inReview = async (desk: Desk, rest: object = {}) => {
    const editor = await editorRole(desk);
    const reviewer = await createRole(app(), desk.project, []);
    const users = await Promise.all([1, 2, 3].map(() => member(desk, editor, reviewer)));
    const approvals = { required: 2, roleIds: [reviewer] };
    await newWorkflow(
      desk,
      editorial({
        transitions: [step('draft', 'review'), step('review', 'approved', { approvals })],
        ...rest,
      }),
    );
    const { id } = await article(desk);
    await moveTo(desk, id, 'review');
    return { id, users: users as [User, User, User] };
  };

  it('are counted for each transition', async () => {
    const desk = await openDesk(app());
    const approvals = { required: 3, distinctFromAuthor: false };
    const { id, users } = await inReview(desk, {
      states: [
        state('draft', { isInitial: true, color: '#1f6feb' }),
        state('review'),
        state('approved', { allowsPublish: true }),
        state('parked'),
      ],
      transitions: [
        step('draft', 'review'),
        step('review', 'approved', { approvals: { required: 2 } }),
        step('review', 'parked', { approvals }),
        step('parked', 'draft'),
      ],
    });
    const stored = (await desk.get('/workflows?limit=100')).body.data.find(
      ({ slug }: { slug: string }) => slug === 'editorial',
    );
    expect(stored.states[0].color).toBe('#1f6feb');
    expect(stored.transitions[2].approvals).toEqual({ ...approvals, roleIds: [] });
    const [first] = users;
    await moveTo(first.desk, id, 'approved');
    await moveTo(first.desk, id, 'parked');
    expect((await desk.get(`/entries/${id}/workflow`)).body.data.pendingApprovals).toEqual([
      expect.objectContaining({ to: 'approved', required: 2 }),
      expect.objectContaining({ to: 'parked', required: 3 }),
    ]);
  });

  it('are counted by user until there are enough, and are kept in the history', async () => {
    const desk = await openDesk(app());
    const { id, users } = await inReview(desk);
    const [first, second] = users;
    expect((await first.desk.get(`/entries/${id}/workflow`)).body.data.availableTransitions).toEqual([
      expect.objectContaining({ to: 'approved', requiredApprovals: 2 }),
    ]);
    const one = (await moveTo(first.desk, id, 'approved', { comment: 'Good' })).body.data;
    expect(one).toMatchObject({
      state: 'review',
      pendingApprovals: [
        {
          to: 'approved',
          required: 2,
          approvals: [{ by: { id: first.id }, comment: 'Good', isLapsed: false }],
        },
      ],
      unavailableTransitions: [{ to: 'approved', name: 'approved', reason: 'already_approved' }],
    });
    expect(outcome(await moveTo(first.desk, id, 'approved'))).toEqual([409, 'invalid_transition']);
    expect(outcome(await moveTo(desk, id, 'approved'))).toEqual([403, 'permission_denied']);
    const two = (await moveTo(second.desk, id, 'approved')).body.data;
    expect(two).toMatchObject({ state: 'approved', pendingApprovals: [] });
    expect(two.history[0].approvals.map(({ by }: { by: { id: string } }) => by.id)).toEqual([
      first.id,
      second.id,
    ]);
    expect(await actions(desk, id)).toEqual([
      'entry.create',
      'entry.transition',
      'entry.approve',
      'entry.transition',
    ]);
  });

  it('are not given by those who changed the content', async () => {
    const desk = await openDesk(app());
    const { id, users } = await inReview(desk);
    const [first, second, third] = users;
    await change(first.desk, id, { fields: { title: 'Mine' } });
    const refused = await moveTo(first.desk, id, 'approved');
    expect([outcome(refused), refused.body.details.reason]).toEqual([[403, 'permission_denied'], 'own_work']);
    await change(second.desk, id, { fields: { title: 'Yours' } });
    expect(outcome(await moveTo(first.desk, id, 'approved'))).toEqual([403, 'permission_denied']);
    expect((await moveTo(third.desk, id, 'approved')).status).toBe(200);
  });

  it('lapse when what they approved changes, also if it is changed back', async () => {
    const desk = await openDesk(app());
    const { id, users } = await inReview(desk);
    const [first, second] = users;
    await moveTo(first.desk, id, 'approved');
    await change(desk, id, { fields: { title: 'Title' } });
    expect((await desk.get(`/entries/${id}/workflow`)).body.data.pendingApprovals[0].approvals).toMatchObject(
      [{ isLapsed: false }],
    );
    await change(desk, id, { fields: { title: 'Other' } });
    await change(desk, id, { fields: { title: 'Title' } });
    const { data } = (await moveTo(second.desk, id, 'approved')).body;
    expect(data.state).toBe('review');
    expect(data.pendingApprovals[0].approvals).toMatchObject([
      { by: { id: first.id }, isLapsed: true },
      { by: { id: second.id }, isLapsed: false },
    ]);
    expect((await moveTo(first.desk, id, 'approved')).body.data.state).toBe('approved');
  });

  it('of one locale survive changes of another, where states are per locale', async () => {
    const desk = await openDesk(app());
    const { id, users } = await inReview(desk, { perLocale: true });
    await change(desk, id, { locale: 'de', fields: { title: 'Titel' } });
    expect([await stateOf(desk, id), await stateOf(desk, id, '?locale=de')]).toEqual(['review', 'draft']);
    await moveTo(users[0].desk, id, 'approved');
    await change(desk, id, { locale: 'de', fields: { title: 'Anders' } });
    expect((await moveTo(users[1].desk, id, 'approved', { locale: 'en' })).body.data).toMatchObject({
      locale: 'en',
      state: 'approved',
    });
    expect(await stateOf(desk, id, '?locale=de')).toBe('draft');
  });

  it('are dropped when another workflow applies, or others approve the transition', async () => {
    const desk = await openDesk(app());
    const { id, users } = await inReview(desk);
    const [first, second] = users;
    const legal = await createRole(app(), desk.project, []);
    const transitions = (approvals: object) => ({
      transitions: [step('draft', 'review'), step('review', 'approved', { approvals })],
    });
    const pending = async () => (await desk.get(`/entries/${id}/workflow`)).body.data.pendingApprovals;
    await moveTo(first.desk, id, 'approved');
    await desk.put('/workflows/editorial', { name: 'Renamed', enforcement: 'strict' });
    expect(await pending()).toHaveLength(1);
    await desk.put('/workflows/editorial', transitions({ required: 2, roleIds: [legal] }));
    expect(await pending()).toEqual([]);
    await desk.put('/workflows/editorial', transitions({ required: 2 }));
    await moveTo(first.desk, id, 'approved');
    await newWorkflow(desk, editorial({ slug: 'other', contentTypes: [], ...transitions({ required: 2 }) }));
    expect(await pending()).toHaveLength(1);
    const moved = await desk.put('/content-types/article', { workflowSlug: 'other' });
    expect(moved.status).toBe(200);
    expect(await pending()).toEqual([]);
    expect((await moveTo(second.desk, id, 'approved')).body.data.state).toBe('review');
  });

  it('suffice when fewer are required than were given: one of those who gave them completes the transition', async () => {
    const desk = await openDesk(app());
    const { id, users } = await inReview(desk);
    const [first] = users;
    const { transitions } = (await desk.get('/workflows/editorial')).body.data;
    await moveTo(first.desk, id, 'approved');
    transitions[1].approvals.required = 1;
    await desk.put('/workflows/editorial', { transitions });
    expect(await stateOf(desk, id)).toBe('review');
    const { data } = (await moveTo(first.desk, id, 'approved')).body;
    expect([data.state, data.history[0].approvals.length]).toEqual(['approved', 1]);
  });

  it('of two editors at once both count, and one of them changes the state', async () => {
    const desk = await openDesk(app());
    const { id, users } = await inReview(desk);
    const [first, second] = users;
    const both = await Promise.all([moveTo(first.desk, id, 'approved'), moveTo(second.desk, id, 'approved')]);
    expect(both.map(outcome)).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    expect(both.map(({ body }) => body.data.state).sort()).toEqual(['approved', 'review']);
    expect((await desk.get(`/entries/${id}/workflow`)).body.data.history[0].approvals).toHaveLength(2);
  });

  it('do not count for what changed while they were given', async () => {
    const desk = await openDesk(app());
    const { id, users } = await inReview(desk);
    const [first, second] = users;
    const { version } = (await desk.get(`/entries/${id}/workflow`)).body.data;
    await change(desk, id, { fields: { title: 'Concurrently' } });
    const late = await moveTo(first.desk, id, 'approved', { version });
    expect(outcome(late)).toEqual([409, 'version_conflict']);
    await Promise.all([moveTo(first.desk, id, 'approved'), change(desk, id, { fields: { title: 'Again' } })]);
    const { pendingApprovals } = (await desk.get(`/entries/${id}/workflow`)).body.data;
    const lapsed = pendingApprovals[0].approvals.map(({ isLapsed }: { isLapsed: boolean }) => isLapsed);
    const { state } = (await moveTo(second.desk, id, 'approved')).body.data;
    expect(state).toBe(lapsed[0] === true ? 'review' : 'approved');
  });
});

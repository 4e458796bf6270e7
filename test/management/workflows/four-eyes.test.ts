import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { systemRoleId } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { article, change } from '../entries/history.js';
import { editorial, editorRole, member, moveTo, newWorkflow, step } from './definitions.js';

const app = useApp();

describe('Approvals by others than the authors', () => {
  verifies('workflows/four-eyes');

  const toApprove = async (desk: Desk) => {
    const approvals = { required: 1 };
    const steps = [
      step('draft', 'review'),
      step('review', 'approved', { approvals }),
      step('approved', 'draft'),
    ];
    await newWorkflow(desk, editorial({ transitions: steps }));
    const editor = await editorRole(desk);
    return Promise.all([member(desk, editor), member(desk, editor)]);
  };

  it('are refused to everyone who changed the content since the last approval', async () => {
    const desk = await openDesk(app());
    const [alice, bob] = await toApprove(desk);
    const { id } = await article(desk);
    await change(alice.desk, id, { fields: { title: 'By Alice' } });
    await change(desk, id, { fields: { title: 'By a key' } });
    await moveTo(desk, id, 'review');
    expect(outcome(await moveTo(alice.desk, id, 'approved'))).toEqual([403, 'permission_denied']);
    expect((await alice.desk.get(`/entries/${id}/workflow`)).body.data.unavailableTransitions).toMatchObject([
      { to: 'approved', reason: 'own_work' },
    ]);
    expect((await moveTo(bob.desk, id, 'approved')).status).toBe(200);
    await change(bob.desk, id, { fields: { title: 'By Bob' } });
    await moveTo(desk, id, 'review');
    expect(outcome(await moveTo(bob.desk, id, 'approved'))).toEqual([403, 'permission_denied']);
    expect((await moveTo(alice.desk, id, 'approved')).status).toBe(200);
  });

  it('are refused to the user whose key changed the content, also through a key that it made', async () => {
    const desk = await openDesk(app());
    const [, bob] = await toApprove(desk);
    const admin = await member(desk, await systemRoleId(app(), desk.project, 'admin'));
    const body = { type: 'management' };
    const key = await admin.desk.newKey(body);
    const derived = await desk.as(key.secret).newKey(body);
    for (const { secret } of [key, derived]) {
      const { id } = await article(desk);
      await change(desk.as(secret), id, { fields: { title: `By ${secret.slice(-4)}` } });
      await moveTo(desk, id, 'review');
      expect(outcome(await moveTo(admin.desk, id, 'approved'))).toEqual([403, 'permission_denied']);
      expect((await moveTo(bob.desk, id, 'approved')).status).toBe(200);
    }
  });
});

import type { Desk } from '../../support/desk.js';
import { systemRoleId } from '../../support/members.js';
import { article, change } from '../entries/history.js';
import { editorRole, member, moveTo } from '../workflows/definitions.js';
import { approved, management } from './fixtures.js';
import type { Pair } from './key-pairs.js';

/** For projects whose articles have a workflow. */
export const selfApproval = (open: () => Promise<Desk>): Pair => ({
  detector: 'self_approval',
  open,
  raises: [
    [
      'an entry that its author approved',
      (desk) => approved(desk, desk),
      { locales: [{ state: 'approved' }] },
    ],
    [
      'an entry that one of its authors approved, who was not the last',
      async (desk) => {
        const { id } = await article(desk);
        const user = await member(desk, await editorRole(desk));
        await change(user.desk, id, { fields: { title: 'Mine' } });
        await change(desk, id, { fields: { title: 'Of a key' } });
        await moveTo(desk, id, 'review');
        await moveTo(user.desk, id, 'approved');
        return id;
      },
      { locales: [{ state: 'approved', version: 3, approvedBy: { type: 'user' } }] },
    ],
    [
      'an entry that a user wrote through a key and approved',
      async (desk) => {
        const admin = await member(desk, await systemRoleId(desk.app, desk.project, 'admin'));
        const { secret } = await admin.desk.newKey(management);
        const { id } = await article(desk);
        await change(desk.as(secret), id, { fields: { title: 'Of a key' } });
        await moveTo(desk, id, 'review');
        await moveTo(admin.desk, id, 'approved');
        return id;
      },
      {},
    ],
  ],
  passes: [
    [
      'an entry whose approver had written only what was approved before',
      async (desk) => {
        const user = await member(desk, await editorRole(desk));
        const { id } = await article(desk);
        await change(user.desk, id, { fields: { title: 'Mine' } });
        await moveTo(desk, id, 'review');
        await moveTo(desk, id, 'approved');
        await change(desk, id, { fields: { title: 'Of a key' } });
        await moveTo(desk, id, 'review');
        await moveTo(user.desk, id, 'approved');
        return id;
      },
    ],
    [
      'an entry that another user approved',
      async (desk) => approved(desk, (await member(desk, await editorRole(desk))).desk),
    ],
    [
      'an entry whose approval was withdrawn',
      async (desk) => {
        const id = await approved(desk, desk);
        await moveTo(desk, id, 'review');
        return id;
      },
    ],
  ],
});

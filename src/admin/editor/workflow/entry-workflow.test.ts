import { expect, it } from '@jest/globals';
import { missingFor } from './entry-workflow.js';

const ann = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a01';

it('a transition without what it needs is not sent', () => {
  const transition = {
    to: 'review',
    name: 'Submit',
    requiredApprovals: 0,
    requireComment: true,
    requireAssignee: true,
  };
  const workflow = { assigneeId: null } as Parameters<typeof missingFor>[1];
  const missing = (comment: string, assigneeId?: string | null) =>
    missingFor(transition, workflow, { comment, assigneeId });
  expect([missing(' '), missing('x'), missing('x', null), missing('x', ann)]).toEqual([
    'comment',
    'assignee',
    'assignee',
    undefined,
  ]);
});

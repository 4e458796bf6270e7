import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { Id } from '../../primitives.js';
import { management } from '../../procedure.js';
import { BulkAction, bulkParams, BulkResult } from './bulk.js';
import { inProject, managementRoute } from '../../routes.js';

export const entryBulk = {
  bulk: management({
    openapi: managementRoute('POST', '/entries/bulk', {
      summary: 'Run a bulk action',
      description: [
        'Runs one action on up to 100 entries; duplicate ids count once. Permissions are checked per entry, and `results` contains one result per entry. A failed entry does not affect the others.',
        'With `params.atomic`, either all entries change or none: the request fails with 422 `bulk_failed` and the results.',
        'Params by action: publish `{locale?, scheduledAt?, timezone?, withDependencies?}`, unpublish `{locale?, scheduledAt?, timezone?}`, delete `{}`, move `{treeParentId, position?}`, workflowTransition `{to, comment?, locale?}`, assign `{assigneeId, locale?}`, duplicate `{siteId?, treeParentId?}`, addToRelease `{releaseId, locale?}`.',
      ].join('\n\n'),
      tags: ['Entries'],
    }),
    mcp: {
      tool: 'bulk_entries',
      toolset: 'content',
      title: 'Run bulk action',
      description:
        'Runs one action on up to 100 entries, with one outcome each. `params` by action: publish `{locale?, scheduledAt?, timezone?, withDependencies?}`, unpublish `{locale?, scheduledAt?, timezone?}`, delete `{}`, move `{treeParentId, position?}`, workflowTransition `{to, comment?, locale?}`, assign `{assigneeId, locale?}`, duplicate `{siteId?, treeParentId?}`, addToRelease `{releaseId, locale?}`. With `atomic: true` all change or none.',
      destructive: true,
      optionsOf: { params: 'Parameters of the action.' },
    },
    resource: 'entries',
    action: 'any',
    events: [
      'entry.published',
      'translation.stale',
      'entry.unpublished',
      'entry.deleted',
      'entry.created',
      'tree.node_moved',
      'entry.workflow_changed',
      'entry.approved',
      'entry.assigned',
      'entry.scheduled',
      'entry.schedule_canceled',
      'entry.schedule_failed',
    ],
    confirmation: [{ key: 'action', values: ['publish', 'unpublish', 'delete'] }, 'publicPaths'],
    errors: ['bulk_failed', 'release_not_found', 'release_closed', 'release_scheduled'],
  })
    .input(
      inProject({
        action: BulkAction,
        entryIds: z
          .array(Id)
          .min(1)
          .max(limits.bulkEntries)
          .meta({
            description: 'Ids of entries, 1 to 100.',
            example: ['019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'],
          }),
        params: bulkParams,
      }),
    )
    .output(dataOf(BulkResult)),
};

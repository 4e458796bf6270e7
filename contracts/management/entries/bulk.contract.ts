import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { Id } from '../../primitives.js';
import { management } from '../../procedure.js';
import { BulkAction, bulkParams, BulkResult } from '../../resources/bulk.js';
import { inProject, managementRoute } from '../../routes.js';

export const entryBulk = {
  bulk: management({
    openapi: managementRoute('POST', '/entries/bulk', {
      summary: 'Change many entries',
      description: [
        'Does one action to up to 100 entries; an id given twice counts once. Each entry needs its own permission and has an outcome of its own in `results`: what is refused leaves the others alone.',
        'With `params.atomic` it is all or nothing: 422 `bulk_failed` with the results, nothing applied.',
        'Params by action: publish and unpublish `{locale?, scheduledAt?, timezone?}`, delete `{}`, move `{treeParentId, position?}`, duplicate `{siteId?, treeParentId?}`. `workflowTransition` and `assign` are refused until there are workflows.',
      ].join('\n\n'),
      tags: ['Entries'],
    }),
    resource: 'entries',
    action: 'any',
    errors: ['bulk_failed'],
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

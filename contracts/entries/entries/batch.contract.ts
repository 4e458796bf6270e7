import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { management } from '../../procedure.js';
import { batchItems, BatchResult } from './batch.js';
import { inProject, managementRoute } from '../../routes.js';

export const entryBatch = {
  batch: management({
    openapi: managementRoute('POST', '/entries/batch', {
      summary: 'Write entries in a batch',
      description: [
        'Creates, updates, upserts, publishes and unpublishes up to 100 entries in one transaction, by the rules of the single calls. Permissions are checked per item, and `results` contains one result per item. A failed item changes nothing and does not affect the others.',
        '`upsert` finds the entry by `externalId`, else by `slug` in the site, type and locale, and creates it if there is none. Without `version`, an update applies to the current version.',
        'With `atomic`, either all items apply or none: the request fails with 422 `bulk_failed` and the results.',
      ].join('\n\n'),
      tags: ['Entries'],
    }),
    mcp: {
      tool: 'write_entries',
      title: 'Write entries',
      description: `Applies up to ${limits.batchItems} changes, with one outcome each. A failed change leaves nothing behind.`,
      destructive: true,
      listsOf: {
        items:
          '`action`: create, update, upsert, publish or unpublish, with the arguments of create_entry, update_entry (`version` optional) or publish_entry. `publish`: true also publishes a draft. `externalId` with `contentTypeApiName` can replace `id`.',
      },
    },
    resource: 'entries',
    action: 'any',
    events: [
      'media.created',
      'entry.created',
      'entry.updated',
      'entry.published',
      'entry.unpublished',
      'entry.moved',
      'entry.assigned',
      'entry.workflow_changed',
      'entry.schedule_canceled',
      'translation.stale',
    ],
    confirmation: [
      { each: 'items', keys: { action: ['publish', 'unpublish'], publish: [true] } },
      'publicPaths',
    ],
    errors: ['bulk_failed'],
  })
    .input(
      inProject({
        items: batchItems,
        atomic: z.boolean().default(false).meta({ description: 'Apply all items or none.', example: false }),
      }),
    )
    .output(dataOf(BatchResult)),
};

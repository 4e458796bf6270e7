import { z } from 'zod';
import { Id, LocaleCode } from '../primitives.js';
import { schedule } from './schedule.js';

/** What can be done to many entries at once (specification 4.3). */
export const BulkAction = z
  .enum(['publish', 'unpublish', 'delete', 'move', 'workflowTransition', 'assign', 'duplicate'])
  .meta({ description: 'What to do to each entry.', example: 'publish' });
export type BulkAction = z.infer<typeof BulkAction>;

/** Params of every bulk action together; which of them one action takes is checked by its use case. */
export const bulkParams = z
  .strictObject({
    locale: LocaleCode.optional().meta({ description: 'Locale to publish or unpublish.' }),
    ...schedule,
    treeParentId: Id.nullish().meta({ description: 'Tree node to move or copy to; null is the root.' }),
    position: z.int().min(0).max(1_000_000).optional().meta({ description: 'Place among the siblings.' }),
    siteId: Id.optional().meta({ description: 'Site of the copies.' }),
    to: z.string().optional().meta({ description: 'State of a workflow transition.' }),
    comment: z.string().max(1000).optional().meta({ description: 'Note on a workflow transition.' }),
    assigneeId: Id.nullish().meta({ description: 'User to assign; null removes the assignment.' }),
    atomic: z.boolean().default(false).meta({ description: 'All or nothing.', example: false }),
  })
  .prefault({})
  .meta({ description: 'What the action needs.', example: { locale: 'en' } });
export type BulkParams = z.infer<typeof bulkParams>;

/** Outcome of one entry. */
const BulkItem = z
  .object({
    entryId: z.string(),
    ok: z.boolean(),
    error: z.string().optional(),
    message: z.string().optional(),
    details: z.unknown().optional(),
    version: z.int().optional(),
    newEntryId: z.string().optional(),
    jobId: z.string().optional(),
  })
  .meta({ id: 'BulkItem', description: 'What became of one entry.' });
export type BulkItem = z.infer<typeof BulkItem>;

/** Outcome of a bulk call, entry by entry in the order given (decisions 2.9). */
export const BulkResult = z
  .object({
    action: BulkAction,
    total: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    results: z.array(BulkItem),
  })
  .meta({ id: 'BulkResult', description: 'What became of each entry.' });
export type BulkResult = z.infer<typeof BulkResult>;

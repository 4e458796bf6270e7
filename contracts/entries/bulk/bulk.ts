import { z } from 'zod';
import { limits } from '../../limits.js';
import { Id, LocaleCode } from '../../primitives.js';
import { PendingSchedule, schedule } from '../schedules/schedule.js';

/** Rule entries/bulk. */
export const BulkAction = z
  .enum([
    'publish',
    'unpublish',
    'delete',
    'move',
    'workflowTransition',
    'assign',
    'duplicate',
    'addToRelease',
  ])
  .meta({ description: 'Action applied to each entry.', example: 'publish' });
export type BulkAction = z.infer<typeof BulkAction>;

/** The union of all actions' params; each use case checks which ones apply. */
export const bulkParams = z
  .strictObject({
    locale: LocaleCode.optional().meta({
      description:
        'Locale to publish or unpublish, or whose state or assignee changes where each has its own.',
    }),
    ...schedule,
    treeParentId: Id.nullish().meta({ description: 'Tree node to move or copy to; null is the root.' }),
    position: z.int().min(0).max(1_000_000).optional().meta({ description: 'Position among the siblings.' }),
    siteId: Id.optional().meta({ description: 'Site of the copies.' }),
    to: z
      .string()
      .min(1)
      .max(limits.apiNameLength)
      .optional()
      .meta({ description: 'Target state of a workflow transition.' }),
    comment: z
      .string()
      .max(limits.commentLength)
      .optional()
      .meta({ description: 'Note on a workflow transition.' }),
    withDependencies: z
      .boolean()
      .optional()
      .meta({ description: 'Also publish unpublished entries that they refer to. Defaults to false.' }),
    assigneeId: Id.nullish().meta({ description: 'User to assign; null removes the assignment.' }),
    releaseId: Id.optional().meta({ description: 'Release to add the publication of the entries to.' }),
    atomic: z.boolean().default(false).meta({ description: 'Apply all changes or none.', example: false }),
  })
  .prefault({})
  .meta({ description: 'Parameters of the action.', example: { locale: 'en' } });
export type BulkParams = z.infer<typeof bulkParams>;

const BulkItem = z
  .object({
    entryId: z.string(),
    ok: z.boolean(),
    error: z.string().optional(),
    message: z.string().optional(),
    details: z.unknown().optional(),
    version: z.int().optional().meta({ description: 'New version of the entry.' }),
    newEntryId: z.string().optional(),
    jobId: z.string().optional(),
    replaced: z
      .array(PendingSchedule)
      .optional()
      .meta({ description: 'Waiting jobs that the new one replaces.' }),
  })
  .meta({ id: 'BulkItem', description: 'Outcome for one entry.' });
export type BulkItem = z.infer<typeof BulkItem>;

/** One item per entry, in request order (rule entries/bulk). */
export const BulkResult = z
  .object({
    action: BulkAction,
    total: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    results: z.array(BulkItem),
  })
  .meta({ id: 'BulkResult', description: 'Outcome for each entry.' });
export type BulkResult = z.infer<typeof BulkResult>;

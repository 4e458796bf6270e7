import { z } from 'zod';
import { Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';
import { EntryReference } from '../../entries/entries/entry-reference.js';

export const MediaVersion = z
  .object({
    versionNum: z.int().meta({ description: 'Version of the asset that brought the file.', example: 1 }),
    isCurrent: z.boolean(),
    fileName: z.string(),
    mimeType: z.string(),
    size: z.int(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    checksum: z.string(),
    createdAt: Timestamp,
    createdBy: Actor,
  })
  .meta({ id: 'MediaVersion', description: 'A file that an asset has had.' });
export type MediaVersion = z.infer<typeof MediaVersion>;

export const MediaReference = EntryReference.extend({
  inDraft: z.boolean(),
  inPublished: z.boolean(),
}).meta({ id: 'MediaReference', description: 'A field that uses the asset.' });
export type MediaReference = z.infer<typeof MediaReference>;

export const MediaBulkAction = z
  .enum(['delete', 'move', 'tag', 'untag'])
  .meta({ description: 'Action applied to each asset.', example: 'tag' });
export type MediaBulkAction = z.infer<typeof MediaBulkAction>;

const MediaBulkItem = z
  .object({
    assetId: z.string(),
    ok: z.boolean(),
    error: z.string().optional(),
    message: z.string().optional(),
    details: z.unknown().optional(),
    version: z.int().optional(),
  })
  .meta({ id: 'MediaBulkItem', description: 'Outcome for one asset.' });
export type MediaBulkItem = z.infer<typeof MediaBulkItem>;

/** One item per asset, in the order of the request. */
export const MediaBulkResult = z
  .object({
    action: MediaBulkAction,
    total: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    results: z.array(MediaBulkItem),
  })
  .meta({ id: 'MediaBulkResult', description: 'Outcome for each asset.' });
export type MediaBulkResult = z.infer<typeof MediaBulkResult>;

import { z } from 'zod';
import { EntryStatus } from './entry.js';

/** Rule entries/delete. */
export const EntryReference = z
  .object({
    entryId: z.string(),
    contentTypeApiName: z.string(),
    title: z.string(),
    fieldApiName: z.string(),
    blocks: z.array(z.string()).meta({
      description: 'Ids of the blocks of the draft whose field it is. Empty for a field of the entry itself.',
      example: [],
    }),
    locale: z.string().nullable().meta({ description: 'Null for a field shared by all locales.' }),
    status: EntryStatus,
    siteId: z.string(),
  })
  .meta({ id: 'EntryReference', description: 'A field that references the entry.' });
export type EntryReference = z.infer<typeof EntryReference>;

/** Rule entries/dependencies. */
export const EntryDependency = z
  .object({
    kind: z.enum(['entry', 'asset']).meta({ description: 'Kind of the linked item.' }),
    id: z.string().meta({ description: 'Id of the linked item.' }),
    title: z.string().meta({ description: 'Of an asset: its file name.' }),
    contentTypeApiName: z.string().nullable().meta({ description: 'Null for an asset.' }),
    siteId: z.string().nullable().meta({ description: 'Null for an asset.' }),
    status: EntryStatus.nullable().meta({ description: 'Null for an asset.' }),
    depth: z.int().meta({ description: 'Number of links between it and the entry asked for.' }),
    links: z
      .array(
        z.object({
          entryId: z.string(),
          targetId: z.string(),
          fieldApiName: z.string().meta({ description: 'A field of the entry or of one of its blocks.' }),
          locale: z.string().nullable().meta({ description: 'Null for a field shared by all locales.' }),
          inDraft: z.boolean(),
          inPublished: z.boolean(),
        }),
      )
      .meta({ description: 'Links by which it was found: those to it, or with `direction=in` its own.' }),
  })
  .meta({
    id: 'EntryDependency',
    description: 'An entry or asset that is linked, directly or through others.',
  });
export type EntryDependency = z.infer<typeof EntryDependency>;

/** Rule entries/dependencies. */
export const BrokenLink = z
  .object({
    entryId: z.string(),
    contentTypeApiName: z.string(),
    title: z.string(),
    siteId: z.string(),
    fieldApiName: z.string().meta({ description: 'A field of the entry or of one of its blocks.' }),
    locale: z.string().meta({ description: 'Of the published document.' }),
    isRestricting: z.boolean().meta({ description: 'Whether the field keeps its targets published.' }),
  })
  .meta({ id: 'BrokenLink', description: 'A published link whose target readers would no longer see.' });
export type BrokenLink = z.infer<typeof BrokenLink>;

/** What a dry run of withdrawing an entry adds to `meta`. */
export const withdrawalPlan = {
  isRefused: z.boolean().optional().meta({
    description: 'With `dryRun`: whether the call would be 409 `entry_in_use`.',
  }),
  broken: z.array(BrokenLink).optional().meta({
    description: 'With `dryRun`: published links to it that would break or that keep it published.',
  }),
};

export const PlannedPublication = z
  .object({
    entryId: z.string(),
    contentTypeApiName: z.string(),
    title: z.string(),
    locale: z.string(),
    isDependency: z.boolean().meta({ description: 'Whether it is published because of another entry.' }),
  })
  .meta({ id: 'PlannedPublication', description: 'A locale of an entry that would be published.' });
export type PlannedPublication = z.infer<typeof PlannedPublication>;

import { z } from 'zod';
import { ListMeta } from '../../envelopes.js';
import { limits } from '../../limits.js';
import {
  EntrySlug,
  expectedVersion,
  ExternalId,
  Id,
  LocaleCode,
  Name,
  Timestamp,
  Version,
} from '../../primitives.js';
import { Actor } from '../../actor.js';
import { PendingSchedule, schedule } from '../schedules/schedule.js';

/** State of one locale (rule entries/status). */
export const EntryStatus = z.enum(['draft', 'published', 'changed']).meta({
  description: 'draft: nothing live; published: live is the latest; changed: a newer draft exists.',
});
export type EntryStatus = z.infer<typeof EntryStatus>;

const EntryLocale = z
  .object({
    locale: z.string(),
    slug: z.string(),
    status: EntryStatus,
    publishedAt: Timestamp.nullable(),
    publishedVersion: z.int().nullable(),
    updatedAt: Timestamp,
    scheduled: z.array(PendingSchedule).meta({ description: 'Schedules that have not run.' }),
  })
  .meta({ id: 'EntryLocale', description: 'State of one locale of an entry.' });

/** `fields` are the draft values of `locale`, as written. */
export const Entry = z
  .object({
    id: z.string(),
    contentTypeApiName: z.string(),
    siteId: z.string(),
    environment: z.string(),
    externalId: z.string().nullable(),
    slug: z.string(),
    locale: z.string(),
    fields: z.record(z.string(), z.unknown()),
    version: z.int(),
    status: EntryStatus,
    locales: z.array(EntryLocale).meta({ description: 'Status of each locale.' }),
    treeNodeId: z.string().nullable().meta({ description: 'Id of its node in the tree. Null is none.' }),
    treeParentId: z.string().nullable(),
    workflow: z.object({ slug: z.string(), state: z.string() }).nullable(),
    assigneeId: z.string().nullable(),
    createdAt: Timestamp,
    createdBy: Actor,
    updatedAt: Timestamp,
    updatedBy: Actor,
    deletedAt: Timestamp.nullable(),
  })
  .meta({ id: 'Entry', description: 'An entry with the draft values of one locale.' });
export type Entry = z.infer<typeof Entry>;

export const entryFacets = ['status', 'workflowState'] as const;
export type EntryFacet = (typeof entryFacets)[number];

const counts = z.record(z.string(), z.int()).optional();

export const EntryListMeta = ListMeta.extend({
  facets: z
    .object({ status: counts, workflowState: counts })
    .optional()
    .meta({ description: 'Number of entries of the whole list by value.' }),
}).meta({ id: 'EntryListMeta', description: 'Pagination of a list of entries, with the requested facets.' });
export type EntryListMeta = z.infer<typeof EntryListMeta>;

const FieldValues = z
  .record(z.string(), z.unknown())
  .meta({ description: 'Values by field apiName.', example: { title: 'The upper lock' } });

/** Rule entries/write. */
export const entryInput = {
  contentTypeApiName: z
    .string()
    .max(limits.apiNameLength)
    .meta({ description: 'apiName of the content type.', example: 'article' }),
  siteId: Id,
  locale: LocaleCode.optional().meta({ description: 'Locale of the values. Defaults to the site default.' }),
  treeParentId: Id.nullish().meta({ description: 'Tree node to place the entry under.' }),
  slug: EntrySlug.optional(),
  externalId: ExternalId.optional(),
  fields: FieldValues.default({}),
};

/** A time in ISO 8601, which the use case reads. */
export const SourceTime = z
  .string()
  .max(40)
  .meta({ description: 'ISO 8601, not in the future.', example: '2026-01-01T00:00:00Z' });

/** What an import keeps of an entry that it creates (rule entries/import). */
export const sourceFacts = {
  createdAt: SourceTime.optional(),
  updatedAt: SourceTime.optional(),
  createdByName: Name.optional(),
};

/** Fields are merged one by one; null clears a value (rule entries/write). */
export const entryChange = {
  version: Version,
  locale: LocaleCode.optional(),
  slug: EntrySlug.optional(),
  externalId: ExternalId.nullish(),
  fields: FieldValues.optional(),
  treeParentId: Id.nullish(),
  assigneeId: Id.nullish(),
  comment: z
    .string()
    .max(limits.commentLength)
    .optional()
    .meta({ description: 'Note stored with the version.', example: 'Corrected the dates' }),
  mergeStrategy: z.literal('disjoint').optional().meta({
    description: 'Accepts a change based on an older version if it does not touch anything changed since.',
  }),
};

/** Locale defaults to the site default, time to now. */
export const publication = {
  locale: LocaleCode.optional(),
  ...schedule,
  version: expectedVersion("the entry's"),
  comment: z
    .string()
    .max(limits.commentLength)
    .optional()
    .meta({ description: 'Note stored with the publication and the audit record.' }),
};

/** An item of the agent tool `search_content` (rule mcp/tools). */
export const FoundEntry = z
  .object({
    id: z.string(),
    contentTypeApiName: z.string(),
    siteId: z.string(),
    locale: z.string(),
    slug: z.string(),
    title: z.string(),
    status: EntryStatus,
    updatedAt: Timestamp,
  })
  .meta({ id: 'FoundEntry', description: 'An entry in a search result.' });

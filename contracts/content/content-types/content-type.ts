import { z } from 'zod';
import { limits } from '../../limits.js';
import { ApiName, Description, Name, observed, ScopeSlug, Timestamp } from '../../primitives.js';
import { Field, FieldInput } from '../fields/field.js';

const IsBlock = z
  .boolean()
  .meta({ description: 'Named by `blocks` fields only, never by `reference` fields.' });

const PreviewPath = z.string().meta({
  description:
    'Path of preview links to entries without a route, with the placeholders {slug} {locale} {entryId}. Defaults to the slug.',
  example: '/authors/{slug}',
});

const IsLocalized = z.boolean().meta({
  description: 'False: an entry has one document, which serves every locale and is not translated.',
});

const FieldFallback = z.boolean().meta({
  description:
    'True: a localized field without a value shows that of the first fallback of the locale that has one, when published or previewed.',
});

/** Rule content/types. */
export const ContentType = z
  .object({
    id: z.string(),
    apiName: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    displayField: z.string().nullable().meta({ description: 'apiName of the field that titles an entry.' }),
    isPage: z.boolean(),
    isBlock: IsBlock,
    isSingleton: z.boolean().meta({ description: 'At most one entry per site.' }),
    isLocalized: IsLocalized,
    fieldFallback: FieldFallback,
    workflowSlug: z.string().nullable(),
    slugPattern: z
      .string()
      .nullable()
      .meta({ description: 'Regular expression that slugs of entries must match.' }),
    previewPath: PreviewPath.nullable(),
    fields: z.array(Field).meta({ description: 'Fields, in their order.' }),
    fieldCount: z.int(),
    entryCount: observed(z.int()),
    schemaVersion: z.int().meta({ description: 'Increases with every change to the type or its fields.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'ContentType', description: 'A content type with its fields.' });
export type ContentType = z.infer<typeof ContentType>;

const ownKeys = {
  workflowSlug: ScopeSlug.nullish().meta({
    description:
      'Slug of the workflow of its entries. Null: the one that names the type, else the default one; `none`: no workflow.',
    example: 'editorial',
  }),
  description: Description.nullish(),
  displayField: ApiName.nullish(),
  isPage: z.boolean().optional(),
  isBlock: IsBlock.optional(),
  isSingleton: z.boolean().optional(),
  isLocalized: IsLocalized.optional(),
  fieldFallback: FieldFallback.optional(),
  slugPattern: z.string().min(1).max(limits.patternLength).nullish(),
  previewPath: PreviewPath.max(limits.urlLength).nullish(),
};

export const contentTypeInput = {
  apiName: ApiName,
  name: Name,
  ...ownKeys,
  fields: z
    .array(FieldInput)
    .max(limits.fieldsPerContentType)
    .default([])
    .meta({
      description: 'Fields, in order.',
      example: [{ apiName: 'title', name: 'Title', type: 'text', required: true }],
    }),
};

/** Excludes `apiName`, which names the type in queries. */
export const contentTypeChange = { name: Name.optional(), ...ownKeys };

/** Rule content/types. */
export const DeleteCheck = z
  .object({
    canDelete: z.boolean(),
    entryCount: z.int(),
    publishedEntryCount: z.int(),
    deletedEntryCount: z.int(),
    ownedBlockCount: z
      .int()
      .describe('Own blocks of the type in drafts and published documents, deleted entries included.'),
    referencedBy: z.array(
      z.object({ contentTypeApiName: z.string(), fieldApiName: z.string(), count: z.int() }),
    ),
    treeNodeCount: z.int(),
    workflowCount: z.int(),
    savedViewCount: z.int(),
    customReportCount: z.int(),
    webhookCount: z.int(),
    blockers: z.array(z.enum(['has_entries', 'has_owned_blocks', 'is_referenced', 'in_workflow'])),
    sampleEntryIds: z.array(z.string()).max(10).meta({ description: 'Ids of some of its entries.' }),
  })
  .meta({ id: 'DeleteCheck', description: 'What prevents deleting a content type.' });
export type DeleteCheck = z.infer<typeof DeleteCheck>;

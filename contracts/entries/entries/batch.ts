import { z } from 'zod';
import { warningShape } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { expectedVersion, ExternalId, Id, LocaleCode, Version } from '../../primitives.js';
import { EntryStatus, entryChange, entryInput, publication, sourceFacts, SourceTime } from './entry.js';

const publish = z
  .boolean()
  .default(false)
  .meta({ description: 'Also publish the locale. If it cannot be published, the item changes nothing.' });

const { version: _version, mergeStrategy: _mergeStrategy, externalId: _externalId, ...changes } = entryChange;
const { locale, version, comment } = publication;

/** An entry by its id, or by its type and external id. */
const target = {
  id: Id.optional(),
  contentTypeApiName: entryInput.contentTypeApiName
    .optional()
    .meta({ description: 'With `externalId` instead of `id`: apiName of the content type.' }),
  externalId: ExternalId.optional(),
};

const source = { ...sourceFacts, publishedAt: SourceTime.optional() };

const action = <const A extends string>(name: A) => z.literal(name);

export const BatchItem = z
  .discriminatedUnion('action', [
    z.strictObject({ action: action('create'), ...entryInput, ...source, publish }),
    z.strictObject({
      action: action('update'),
      ...target,
      ...changes,
      version: expectedVersion("the entry's"),
      publish,
    }),
    z.strictObject({
      action: action('upsert'),
      ...entryInput,
      ...source,
      comment: changes.comment,
      publish,
    }),
    z.strictObject({
      action: action('publish'),
      ...target,
      locale,
      version,
      comment,
      withDependencies: z
        .boolean()
        .default(false)
        .meta({ description: 'Also publish unpublished entries that it refers to.' }),
    }),
    z.strictObject({ action: action('unpublish'), ...target, locale, version }),
    z
      .strictObject({
        action: action('history'),
        ...target,
        latest: Version.meta({ description: 'Number of the newest version in the source.' }),
        published: z
          .record(LocaleCode, Version)
          .default({})
          .meta({ description: 'Number of the published version by locale.' }),
        versions: z
          .array(z.record(z.string(), z.unknown()))
          .min(1)
          .max(limits.batchItems)
          .meta({ description: 'Oldest first, as `GET entries/{id}/versions/{versionNum}` returns them.' }),
      })
      .meta({
        description:
          'Replaces the versions that the same import wrote by those of the source. The newest and the published ones keep the values of the entry. Requires `entries.import`. Versions that exist stay; where others would be added to them, it fails with 409 `version_conflict`.',
      }),
  ])
  .meta({
    description: 'A change of one entry.',
    example: {
      action: 'upsert',
      contentTypeApiName: 'article',
      siteId: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69',
      externalId: 'erp-4711',
      fields: { title: 'The upper lock' },
    },
  });
export type BatchItem = z.infer<typeof BatchItem>;

export const batchItems = z.array(BatchItem).min(1).max(limits.batchItems).meta({
  description: 'Changes, 1 to 100. Those of the same entry are applied in their order.',
});

const BatchOutcome = z
  .object({
    index: z.int(),
    action: z.enum(['create', 'update', 'upsert', 'publish', 'unpublish', 'history']),
    ok: z.boolean(),
    entryId: z.string().nullable(),
    externalId: z.string().nullable(),
    locale: LocaleCode.nullable(),
    version: z.int().nullable(),
    status: EntryStatus.nullable(),
    treeNodeId: z.string().nullable(),
    created: z.boolean().meta({ description: 'Whether the entry was created.' }),
    warnings: z.array(warningShape).optional(),
    error: z.string().optional(),
    message: z.string().optional(),
    details: z.unknown().optional(),
  })
  .meta({ id: 'BatchOutcome', description: 'Outcome of one item; with the state that it left.' });
export type BatchOutcome = z.infer<typeof BatchOutcome>;

/** One outcome per item, in request order. */
export const BatchResult = z
  .object({
    total: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    results: z.array(BatchOutcome),
  })
  .meta({ id: 'BatchResult', description: 'Outcome of each item of a batch.' });
export type BatchResult = z.infer<typeof BatchResult>;

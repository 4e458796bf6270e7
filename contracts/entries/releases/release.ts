import { z } from 'zod';
import { Actor } from '../../actor.js';
import { warningShape } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { Description, Id, LocaleCode, Name, Timestamp, Version } from '../../primitives.js';
import { redirectChange, redirectInput } from '../../routing/redirects/redirect.js';

const releaseStatuses = ['open', 'scheduled', 'published', 'failed', 'rolled_back'] as const;

export const ReleaseStatus = z.enum(releaseStatuses).meta({
  description:
    '`open` and `failed` releases were not published. `failed` and `rolled_back` ones can be opened again.',
  example: 'open',
});
export type ReleaseStatus = z.infer<typeof ReleaseStatus>;

export const ReleaseApproval = z
  .strictObject({
    quorum: z
      .int()
      .min(1)
      .max(limits.approvalsPerTransition)
      .meta({ description: 'Number of users who must approve.', example: 2 }),
    roleIds: z
      .array(Id)
      .max(limits.rolesPerTransition)
      .default([])
      .meta({ description: 'Ids of the roles that can approve. Empty means every user who may.' }),
    distinctFromAuthor: z.boolean().default(true).meta({
      description:
        'Whether those who made the release, added items or last changed an unpinned draft cannot approve it.',
    }),
  })
  .meta({ description: 'Approvals that the release needs before it is published or scheduled.' });
export type ReleaseApproval = z.infer<typeof ReleaseApproval>;

export const releaseInput = {
  name: Name,
  description: Description.nullish(),
  requiresApproval: ReleaseApproval.nullish(),
};
export const releaseChange = { name: Name.optional(), description: Description.nullish() };

const entryKeys = {
  kind: z.literal('entry').meta({ description: 'Kind of the change.' }),
  entryId: Id,
  locale: LocaleCode,
  action: z.enum(['publish', 'unpublish']).meta({ description: 'What happens to the locale.' }),
};
const treeMoveKeys = {
  kind: z.literal('treeMove').meta({ description: 'Kind of the change.' }),
  nodeId: Id,
  parentId: Id.nullable().meta({ description: 'New parent; null is the root.' }),
};
const mediaKeys = {
  kind: z.literal('media').meta({ description: 'Kind of the change.' }),
  assetId: Id,
  replacementAssetId: Id.meta({ description: 'Asset whose file replaces that of `assetId`.' }),
};
const redirect = z
  .strictObject({ siteId: redirectInput.siteId.optional(), ...redirectChange })
  .meta({ description: 'The redirect to create, or the keys to change.' });

export const ReleaseItemInput = z
  .discriminatedUnion('kind', [
    z.strictObject({
      ...entryKeys,
      pinnedVersion: Version.nullish().meta({
        description: 'Version to publish. Without it, the latest draft is published.',
      }),
    }),
    z.strictObject({
      kind: z.literal('redirect').meta({ description: 'Kind of the change.' }),
      action: z.enum(['create', 'update', 'delete']).meta({ description: 'What happens to the redirect.' }),
      redirectId: Id.optional().meta({ description: 'Required to update or delete.' }),
      redirect: redirect.optional(),
    }),
    z.strictObject({ ...treeMoveKeys, position: z.int().min(0).max(1_000_000).optional() }),
    z.strictObject(mediaKeys),
  ])
  .meta({
    description: 'A change that the release makes.',
    example: {
      kind: 'entry',
      entryId: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69',
      locale: 'en',
      action: 'publish',
    },
  });
export type ReleaseItemInput = z.infer<typeof ReleaseItemInput>;

const itemKeys = {
  id: z.string(),
  title: z.string().nullable().meta({ description: 'Of what it changes. Null if that was deleted.' }),
  siteId: z.string().nullable(),
  path: z
    .string()
    .nullable()
    .meta({ description: 'Path that is live, or that the draft will have.', example: '/locks/upper' }),
  createdAt: Timestamp,
  createdBy: Actor,
};

export const ReleaseItem = z
  .discriminatedUnion('kind', [
    z.object({
      ...itemKeys,
      ...entryKeys,
      entryId: z.string(),
      locale: z.string(),
      pinnedVersion: z.int().nullable(),
    }),
    z.object({
      ...itemKeys,
      kind: z.literal('redirect').meta({ description: 'Kind of the change.' }),
      action: z.enum(['create', 'update', 'delete']).meta({ description: 'What happens to the redirect.' }),
      redirectId: z.string().nullable(),
      redirect: redirect.nullable(),
    }),
    z.object({ ...itemKeys, ...treeMoveKeys, position: z.int().nullable() }),
    z.object({ ...itemKeys, ...mediaKeys }),
  ])
  .meta({ id: 'ReleaseItem', description: 'A change that the release makes.' });
export type ReleaseItem = z.infer<typeof ReleaseItem>;

const Failure = z.object({
  code: z.string(),
  message: z.string(),
  details: z.unknown().optional(),
});

/** Rule publication/releases. */
export const Release = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    status: ReleaseStatus,
    itemCount: z.int(),
    scheduledAt: Timestamp.nullable(),
    timezone: z.string().nullable().meta({ description: 'IANA time zone it was scheduled in.' }),
    jobId: z.string().nullable().meta({ description: 'The job in the calendar, if it is scheduled.' }),
    requiresApproval: ReleaseApproval.nullable(),
    approvals: z
      .array(
        z.object({
          by: Actor,
          at: Timestamp,
          comment: z.string().nullable(),
          lapsed: z.boolean().meta({ description: 'Whether items or drafts have changed since.' }),
        }),
      )
      .meta({ description: 'Oldest first.' }),
    error: Failure.nullable().meta({ description: 'Why the scheduled publication failed.' }),
    publishedAt: Timestamp.nullable(),
    publishedBy: Actor.nullable(),
    rolledBackAt: Timestamp.nullable(),
    createdAt: Timestamp,
    createdBy: Actor,
    updatedAt: Timestamp,
    updatedBy: Actor,
  })
  .meta({ id: 'Release', description: 'Changes that are published together.' });
export type Release = z.infer<typeof Release>;

export const ReleaseDetail = Release.extend({
  items: z.array(ReleaseItem).meta({ description: 'In the order in which they were added.' }),
}).meta({ id: 'ReleaseDetail', description: 'A release with its items.' });
export type ReleaseDetail = z.infer<typeof ReleaseDetail>;

/** What a publication changes, path by path. */
export const ReleaseChange = z
  .object({
    kind: z.enum(['entry', 'redirect', 'media']).meta({ description: 'Kind of the item.' }),
    change: z.enum(['added', 'updated', 'moved', 'removed']),
    id: z.string().meta({ description: 'Id of the entry, redirect or asset.' }),
    locale: z.string().nullable(),
    siteId: z.string().nullable(),
    title: z.string(),
    from: z.string().nullable().meta({ description: 'Path before; null if there was none.' }),
    to: z.string().nullable().meta({ description: 'Path after, or target of a redirect.' }),
    fromVersion: z.int().nullable().meta({ description: 'Version that was live.' }),
    toVersion: z.int().nullable().meta({ description: 'Version that is live afterwards.' }),
  })
  .meta({ id: 'ReleaseChange', description: 'A change that readers see.' });
export type ReleaseChange = z.infer<typeof ReleaseChange>;

export const PublishedRelease = z.object({
  data: Release,
  meta: z
    .object({
      dryRun: z.boolean(),
      changes: z
        .array(ReleaseChange)
        .meta({ description: 'What readers see, pages that move along included.' }),
    })
    .meta({ description: 'What changed, or would change.' }),
});
export type PublishedRelease = z.infer<typeof PublishedRelease>;

const Issue = z.object({
  itemId: z.string().nullable().meta({ description: 'Null if it concerns the release.' }),
  title: z.string().nullable(),
  ...Failure.shape,
});
export type ReleaseIssue = z.infer<typeof Issue>;

export const ReleaseValidation = z
  .object({
    isPublishable: z.boolean(),
    issues: z.array(Issue).meta({ description: 'What must be fixed before it can be published.' }),
    warnings: z.array(warningShape.extend({ itemId: z.string().nullable() })),
  })
  .meta({ id: 'ReleaseValidation', description: 'Whether the release can be published now.' });
export type ReleaseValidation = z.infer<typeof ReleaseValidation>;

export const ScheduledRelease = z
  .object({
    jobId: z.string(),
    status: z.literal('scheduled'),
    kind: z.literal('release').meta({ description: 'Kind of the schedule.' }),
    releaseId: z.string(),
    scheduledAt: Timestamp,
    timezone: z.string(),
  })
  .meta({ id: 'ScheduledRelease', description: 'The job that publishes the release.' });
export type ScheduledRelease = z.infer<typeof ScheduledRelease>;

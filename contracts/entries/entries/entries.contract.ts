import { entryDrafts } from './drafts.contract.js';
import { entryBulk } from '../bulk/bulk.contract.js';
import { entryComments } from '../comments/comments.contract.js';
import { entryCopies } from './copies.contract.js';
import { entryPreview } from '../previews/preview.contract.js';
import { entryPublication } from './publication.contract.js';
import { entryReferences } from './references.contract.js';
import { entrySchedules } from '../schedules/schedules.contract.js';
import { entryTools } from './tools.contract.js';
import { entryVersions } from './versions.contract.js';
import { dataOf } from '../../envelopes.js';
import { inPath, LocaleCode, expectedVersion } from '../../primitives.js';
import { management } from '../../procedure.js';
import { EntryValidation } from './entry-validation.js';
import { inProject, managementRoute } from '../../routes.js';
import { EntryWorkflow, transitionInput, workflowLocale } from './entry-workflow.js';
import { z } from 'zod';
import { limits } from '../../limits.js';
import { Entry } from './entry.js';
import { batchItems, BatchResult } from './batch.js';

const entryBatch = {
  batch: management({
    openapi: managementRoute('POST', '/entries/batch', {
      summary: 'Write entries in a batch',
      description: [
        'Creates, updates, upserts, publishes and unpublishes up to 100 entries in one transaction, or adds their former versions, by the rules of the single calls. Permissions are checked per item; `results` has one result per item. A failed item changes nothing, and only items that link it fail with it. A link can be `{_external, _type}`, the external id of an entry, also of one that the batch creates. `createdAt`, `updatedAt` and `createdByName` of a new entry and `publishedAt` of a publication require the permission `entries.import`.',
        '`upsert` finds the entry by `externalId`, else by `slug` in the site, type and locale, and creates it if there is none. Without `version`, an update applies to the current version.',
        'With `atomic`, either all items apply or none: the request fails with 422 `bulk_failed` and the results.',
      ].join('\n\n'),
      tags: ['Entries'],
    }),
    mcp: {
      tool: 'write_entries',
      toolset: 'content',
      title: 'Write entries',
      description: `Applies up to ${limits.batchItems} changes, with one outcome each. A failed change leaves nothing behind.`,
      destructive: true,
      listsOf: {
        items:
          '`action`: create, update, upsert, publish or unpublish, with the arguments of create_entry, update_entry (`version` optional) or publish_entry. `publish`: true also publishes a draft. `externalId` with `contentTypeApiName` can replace `id`. Links can be {"_external":"…","_type":"…"}, by external id, also of entries that the call creates.',
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

const blockTags = ['Entries'];
const input = inProject({
  id: inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'),
  blockId: inPath('Id of the block.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a70'),
  version: expectedVersion("the entry's"),
  locale: LocaleCode.optional().meta({
    description: 'Locale of the values in the response. Defaults to the site default.',
    example: 'en',
  }),
});

const errors = [
  'entry_not_found',
  'block_not_found',
  'locale_not_found',
  'version_conflict',
  'precondition_failed',
  'slug_conflict',
  'limit_reached',
] as const;

const entryBlocks = {
  shareBlock: management({
    openapi: managementRoute('POST', '/entries/{id}/blocks/{blockId}/share', {
      summary: 'Share a block',
      description:
        'Turns a block of the entry into a separate entry with the same id, on the site of the entry, as a draft in every locale of it. The entry links it instead. Published documents change when the entry is published again.',
      tags: blockTags,
      versioned: true,
    }),
    mcp: {
      tool: 'share_block',
      toolset: 'content',
      title: 'Share block',
      description:
        'Turns a block of an entry into a separate entry with the same id, which other entries can link to.',
      destructive: true,
      sameResultAs: 'get_entry',
    },
    resource: 'entries',
    action: 'update',
    events: ['entry.updated', 'entry.created', 'entry.workflow_changed'],
    errors: [...errors, 'block_is_shared'],
  })
    .input(input)
    .output(dataOf(Entry)),

  detachBlock: management({
    openapi: managementRoute('POST', '/entries/{id}/blocks/{blockId}/detach', {
      summary: 'Detach a shared block',
      description:
        'Replaces the links of the entry to a shared block by a block of the entry with a new id and the draft values of the shared one in the locales of the entry. The shared block stays.',
      tags: blockTags,
      versioned: true,
    }),
    mcp: {
      tool: 'detach_block',
      toolset: 'content',
      title: 'Detach block',
      description:
        'Replaces the links of an entry to a shared block by a block of the entry with the same values.',
      destructive: true,
      sameResultAs: 'get_entry',
    },
    resource: 'entries',
    action: 'update',
    events: ['entry.updated', 'entry.workflow_changed'],
    errors: [...errors, 'block_not_shared'],
  })
    .input(input)
    .output(dataOf(Entry)),
};

const pathLength = z.string().min(1).max(limits.presencePathLength);

/** Rule access/presence. */
export const EntryPresence = z
  .object({
    entryId: z.string(),
    people: z
      .array(
        z.object({
          userId: z.string(),
          name: z.string(),
          locale: z.string().nullable(),
          path: z.string().nullable().meta({ description: 'Their field or block.', example: 'title' }),
        }),
      )
      .meta({ description: `Other users on the entry, at most ${String(limits.presencePeopleShown)}.` }),
    total: z.int().meta({ description: 'Number of other users.' }),
  })
  .meta({ id: 'EntryPresence', description: 'Who else is on an entry.' });
export type EntryPresence = z.infer<typeof EntryPresence>;

const entryPresence = {
  announce: management({
    openapi: managementRoute('POST', '/entries/{id}/presence', {
      summary: 'Announce yourself on an entry',
      description: `Announces you to other users on the entry, and returns who they are. Repeat it every ${String(limits.presenceRepeatSeconds)} seconds: without, you are no longer shown after ${String(limits.presenceSeconds)}. While you are announced, the event stream \`me/events\` sends \`presence\` with what this returns. Marks, and locks nothing; leaves no record. API keys are refused.`,
      tags: ['Entries'],
    }),
    resource: 'entries',
    action: 'read',
    sessionOnly: true,
    changesNothing: true,
    errors: ['entry_not_found'],
  })
    .input(
      inProject({
        id: inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'),
        client: z
          .string()
          .regex(/^[\w-]{1,40}$/)
          .default('main')
          .meta({ description: 'Names the window of a user who has several.', example: 'main' }),
        locale: LocaleCode.nullable()
          .optional()
          .meta({ description: 'Locale that is edited.', example: 'en' }),
        path: pathLength
          .nullable()
          .optional()
          .meta({ description: 'Field or block that the user is in.', example: 'title' }),
        isLeaving: z
          .boolean()
          .optional()
          .meta({ description: 'Ends the presence of this window at once.', example: false }),
      }),
    )
    .output(dataOf(EntryPresence)),
};

const tags = ['Entries', 'Workflows'];
const id = inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

const entryWorkflow = {
  getWorkflow: management({
    openapi: managementRoute('GET', '/entries/{id}/workflow', {
      summary: 'Get the workflow state',
      description:
        'Returns the state of an entry, the transitions from it with the reason why one is not possible, pending approvals and the history.',
      tags,
    }),
    resource: 'entries',
    action: 'read',
    errors: ['entry_not_found', 'locale_not_found'],
  })
    .input(inProject({ id, locale: workflowLocale }))
    .output(dataOf(EntryWorkflow)),

  transition: management({
    openapi: managementRoute('POST', '/entries/{id}/workflow', {
      summary: 'Make a workflow transition',
      description:
        'Moves the entry to another state. If the transition needs approvals, the call counts as the approval of the caller, and the state changes with the last one. Fails with 409 `invalid_transition` and the possible states if there is no such transition.',
      tags,
    }),
    mcp: {
      tool: 'transition_workflow',
      toolset: 'editorial',
      title: 'Transition workflow',
      description:
        'Moves an entry to another workflow state, or assigns it along. An impossible state lists the possible ones.',
    },
    resource: 'entries',
    action: 'transition',
    events: ['entry.workflow_changed', 'entry.approved', 'entry.assigned'],
    errors: [
      'entry_not_found',
      'locale_not_found',
      'type_not_localized',
      'user_not_found',
      'version_conflict',
      'invalid_transition',
    ],
  })
    .input(inProject({ id, ...transitionInput }))
    .output(dataOf(EntryWorkflow)),
};

const entryValidation = {
  validate: management({
    openapi: managementRoute('GET', '/entries/{id}/validation', {
      summary: 'Validate a draft',
      description:
        'Validates the draft of one locale with the same checks as publishing and lists all issues that must be fixed, and links to entries that are not published as warnings. Changes nothing.',
      tags: ['Entries'],
    }),
    mcp: {
      tool: 'validate_entry',
      toolset: 'content',
      title: 'Validate entry',
      description:
        'Validates the draft of one locale as publish_entry does and lists every issue with its field.',
      readOnly: true,
    },
    resource: 'entries',
    action: 'read',
    errors: ['entry_not_found', 'locale_not_found'],
  })
    .input(
      inProject({
        id: inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'),
        locale: LocaleCode.optional().meta({
          description: 'Locale. Defaults to the default locale of the site.',
        }),
      }),
    )
    .output(dataOf(EntryValidation)),
};

export const entries = {
  ...entryDrafts,
  ...entryPublication,
  ...entrySchedules,
  ...entryCopies,
  ...entryBlocks,
  ...entryPreview,
  ...entryValidation,
  ...entryReferences,
  ...entryVersions,
  ...entryWorkflow,
  ...entryComments,
  ...entryPresence,
  ...entryBulk,
  ...entryBatch,
  ...entryTools,
};

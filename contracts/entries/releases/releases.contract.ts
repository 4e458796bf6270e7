import { z } from 'zod';
import { crudOf } from '../../crud.js';
import { dataOf, Deleted, listOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { anyOf, inPath, namedPaging } from '../../primitives.js';
import { management } from '../../procedure.js';
import { inProject, managementRoute } from '../../routes.js';
import { schedule } from '../schedules/schedule.js';
import {
  PublishedRelease,
  Release,
  releaseChange,
  ReleaseDetail,
  releaseInput,
  ReleaseItemInput,
  ReleaseStatus,
  ReleaseValidation,
  ScheduledRelease,
} from './release.js';

const tags = ['Releases'];
const resource = 'releases';
const id = inPath('Id of the release.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

const crud = crudOf({ path: '/releases', key: 'id', resource, tags, notFound: 'release_not_found' });

/** Of what its items change. */
const itemEvents = [
  'entry.published',
  'translation.stale',
  'entry.unpublished',
  'entry.schedule_canceled',
  'redirect.created',
  'redirect.updated',
  'redirect.deleted',
  'tree.node_moved',
  'media.updated',
] as const;

export const releases = {
  list: crud
    .list({
      summary: 'List releases',
      description: 'Returns releases, most recently updated first by default.',
      mcp: {
        tool: 'list_releases',
        toolset: 'editorial',
        title: 'List releases',
        description: 'Lists releases, most recently updated first.',
        readOnly: true,
      },
    })
    .input(inProject({ ...namedPaging, status: anyOf(ReleaseStatus, 'Filter by status.', 'open') }))
    .output(listOf(Release)),

  create: crud
    .create({
      summary: 'Create a release',
      description:
        'Creates a release without items. `requiresApproval` cannot be changed afterwards: an approval lapses when items are added or removed, or when a draft changes that is not pinned.',
      mcp: {
        tool: 'create_release',
        toolset: 'editorial',
        title: 'Create release',
        description:
          'Creates a release, which publishes several changes at once. Add them with add_to_release.',
        sameResultAs: 'get_release',
      },
      events: ['release.created'],
      errors: ['role_not_found', 'limit_reached'],
    })
    .input(inProject(releaseInput))
    .output(dataOf(ReleaseDetail)),

  get: crud
    .get({
      summary: 'Get a release',
      description: 'Returns one release with its items.',
      mcp: {
        tool: 'get_release',
        toolset: 'editorial',
        title: 'Get release',
        description: 'Reads one release with its items.',
        readOnly: true,
      },
    })
    .input(inProject({ id }))
    .output(dataOf(ReleaseDetail)),

  update: crud
    .update({ summary: 'Update a release', description: 'Updates the given properties; null clears one.' })
    .input(inProject({ id, ...releaseChange }))
    .output(dataOf(ReleaseDetail)),

  delete: crud
    .delete({
      summary: 'Delete a release',
      description:
        'Deletes a release; what it published stays, and cannot be rolled back any more. A scheduled one is 409: cancel its job first.',
      errors: ['release_scheduled'],
    })
    .input(inProject({ id }))
    .output(dataOf(Deleted)),

  addItems: management({
    openapi: managementRoute('POST', '/releases/{id}/items', {
      summary: 'Add items to a release',
      description: `Adds changes to an open release, at most ${String(limits.itemsPerRelease)} in all. A release changes the same locale of an entry, redirect, node or asset once. All items are added or none.`,
      tags,
    }),
    mcp: {
      tool: 'add_to_release',
      toolset: 'editorial',
      title: 'Add to release',
      description: 'Adds changes to an open release. All are added or none.',
      sameResultAs: 'get_release',
      listsOf: {
        items:
          '`{kind: "entry", entryId, locale, action: "publish"|"unpublish", pinnedVersion?}`, `{kind: "redirect", action: "create"|"update"|"delete", redirectId?, redirect?}`, `{kind: "treeMove", nodeId, parentId, position?}` or `{kind: "media", assetId, replacementAssetId}`.',
      },
    },
    resource,
    action: 'update',
    errors: [
      'release_not_found',
      'release_closed',
      'release_scheduled',
      'release_conflict',
      'entry_not_found',
      'locale_not_found',
      'type_not_localized',
      'version_not_found',
      'redirect_not_found',
      'site_not_found',
      'tree_node_not_found',
      'media_not_found',
      'limit_reached',
    ],
  })
    .input(
      inProject({
        id,
        items: z
          .array(ReleaseItemInput)
          .min(1)
          .max(limits.itemsPerRelease)
          .meta({ description: 'Items to add.' }),
      }),
    )
    .output(dataOf(ReleaseDetail)),

  removeItem: management({
    openapi: managementRoute('DELETE', '/releases/{id}/items/{itemId}', {
      summary: 'Remove an item from a release',
      description: 'Removes a change from an open release.',
      tags,
    }),
    resource,
    action: 'update',
    confirmation: 'always',
    errors: ['release_not_found', 'release_item_not_found', 'release_closed', 'release_scheduled'],
  })
    .input(inProject({ id, itemId: inPath('Id of the item.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a70') }))
    .output(dataOf(Deleted)),

  validate: management({
    openapi: managementRoute('POST', '/releases/{id}/validate', {
      summary: 'Validate a release',
      description:
        'Runs the publication, undoes it and returns all that would fail, permissions of the caller and missing approvals included. An item that another open or scheduled release has too is a warning.',
      tags,
    }),
    resource,
    action: 'read',
    changesNothing: true,
    errors: ['release_not_found', 'release_closed'],
  })
    .input(inProject({ id }))
    .output(dataOf(ReleaseValidation)),

  publish: management({
    openapi: managementRoute('POST', '/releases/{id}/publish', {
      summary: 'Publish a release',
      description:
        'Publishes all items in one transaction: readers see all changes or none. An item that cannot be published, or that the caller may not publish, fails the whole with 422 `release_invalid` and every such item. Publishing a published release has no effect. `dryRun` returns what would change, path by path.',
      tags,
    }),
    mcp: {
      tool: 'publish_release',
      toolset: 'editorial',
      title: 'Publish release',
      description:
        'Publishes all items of a release at once, or none: the response then lists every item that cannot be published. With `dryRun` it shows what would change, path by path.',
      destructive: true,
      idempotent: true,
    },
    resource,
    action: 'publish',
    confirmation: 'always',
    events: ['release.published', ...itemEvents],
    errors: ['release_not_found', 'release_closed', 'release_invalid', 'release_not_approved'],
  })
    .input(
      inProject({
        id,
        dryRun: z
          .boolean()
          .default(false)
          .meta({ description: 'Only return what would change.', example: true }),
      }),
    )
    .output(PublishedRelease),

  schedule: management({
    openapi: managementRoute('POST', '/releases/{id}/schedule', {
      summary: 'Schedule a release',
      description:
        'Schedules the publication, which is checked now and again at that time; if it fails then, the release is `failed` and nothing was published. Replaces an earlier schedule. The job is in the calendar, where it is moved or canceled.',
      tags,
      startsJob: true,
    }),
    resource,
    action: 'publish',
    confirmation: 'always',
    events: ['release.scheduled', 'release.published', 'release.failed', ...itemEvents],
    errors: ['release_not_found', 'release_closed', 'release_invalid', 'release_not_approved'],
  })
    .input(
      inProject({
        id,
        scheduledAt: schedule.scheduledAt.unwrap().meta({
          description: 'ISO 8601 with an offset or Z; without one, local time in `timezone`.',
          example: '2027-01-01T00:00:00Z',
        }),
        timezone: schedule.timezone,
      }),
    )
    .output(dataOf(ScheduledRelease)),

  rollback: management({
    openapi: managementRoute('POST', '/releases/{id}/rollback', {
      summary: 'Roll back a release',
      description:
        'Puts back what was live before the release, in one transaction. Drafts and versions stay. Fails with 409 `release_changed` and the changed items if another publication has changed one since: a later release must be rolled back first.',
      tags,
    }),
    resource,
    action: 'publish',
    confirmation: 'always',
    events: ['release.rolled_back', ...itemEvents],
    errors: ['release_not_found', 'release_not_published', 'release_changed', 'release_invalid'],
  })
    .input(inProject({ id }))
    .output(dataOf(Release)),

  reopen: management({
    openapi: managementRoute('POST', '/releases/{id}/reopen', {
      summary: 'Open a release again',
      description: 'Opens a failed or rolled-back release, so that its items can be changed and published.',
      tags,
    }),
    resource,
    action: 'update',
    errors: ['release_not_found', 'release_closed', 'release_scheduled'],
  })
    .input(inProject({ id }))
    .output(dataOf(Release)),

  approve: management({
    openapi: managementRoute('POST', '/releases/{id}/approve', {
      summary: 'Approve a release',
      description:
        'Approves the items and the drafts as they are now. Only users can approve. Approving again renews the approval.',
      tags,
    }),
    resource,
    action: 'transition',
    sessionOnly: true,
    errors: ['release_not_found', 'release_closed'],
  })
    .input(
      inProject({
        id,
        comment: z
          .string()
          .max(limits.commentLength)
          .optional()
          .meta({ description: 'Note on the approval.' }),
      }),
    )
    .output(dataOf(Release)),
};

import { getUntypedClient } from '@trpc/client';
import { client } from './client.js';
import { failureOf } from './failure.js';

/** Operations whose controls are offered only to those who may call them. */
const offered = [
  'entries.create',
  'entries.update',
  'entries.publish',
  'entries.unpublish',
  'tree.createNode',
  'tree.updateNode',
  'tree.deleteNode',
  'tree.moveNode',
  'media.update',
  'media.delete',
  'mediaFolders.create',
  'mediaFolders.update',
  'mediaFolders.delete',
  'mediaUploads.create',
  'entries.transition',
  'entries.resolveComment',
  'translations.update',
  'translations.import',
  'translations.suggest',
  'translations.startImport',
  'calendar.reschedule',
  'customReports.create',
  'customReports.update',
  'customReports.delete',
  'governance.resolve',
  'users.create',
  'users.update',
  'users.resetPassword',
  'users.remove',
  'roles.create',
  'roles.update',
  'roles.delete',
  'roles.createGrant',
  'roles.deleteGrant',
  'apiKeys.create',
  'apiKeys.update',
  'apiKeys.rotate',
  'apiKeys.revoke',
  'webhooks.create',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.rotateSecret',
  'webhooks.test',
  'webhooks.redeliver',
  'ipAllowlist.create',
  'ipAllowlist.update',
  'ipAllowlist.delete',
  'environments.create',
  'environments.update',
  'environments.delete',
  'promotions.promote',
  'promotions.rollback',
  'tenants.create',
  'tenants.update',
  'tenants.deactivate',
  'projects.create',
] as const;
export type Offered = (typeof offered)[number];

export type Permissions = Readonly<Record<Offered, boolean>>;

const refusals = new Set(['permission_denied', 'environment_not_allowed', 'super_admin_required']);

/**
 * The service checks the permission of a call before its input (architecture §5), so a call without its input is
 * refused either for lack of permission or for the input. It reaches no data and changes nothing.
 */
async function mayCall(operation: Offered, projectSlug: string): Promise<boolean> {
  try {
    await getUntypedClient(client).mutation(operation, { projectSlug });
    return true;
  } catch (error) {
    const { code } = failureOf(error);
    if (refusals.has(code)) return false;
    if (code === 'validation_failed') return true;
    throw error;
  }
}

async function readPermissions(projectSlug: string): Promise<Permissions> {
  const results = await Promise.all(offered.map((operation) => mayCall(operation, projectSlug)));
  return Object.fromEntries(offered.map((operation, index) => [operation, results[index]])) as Permissions;
}

const PERMISSIONS_MILLISECONDS = 5 * 60 * 1000;

/** What the user may do somewhere in the project; rows can still be refused one by one. */
export const permissionsOf = (projectSlug: string, environment: string) => ({
  queryKey: ['permissions', projectSlug, environment],
  queryFn: () => readPermissions(projectSlug),
  staleTime: PERMISSIONS_MILLISECONDS,
});

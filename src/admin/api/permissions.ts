import { getUntypedClient } from '@trpc/client';
import { client } from './client.js';
import { failureOf } from './failure.js';

/** Operations whose controls are offered only to those who may call them. */
const offered = [
  'entries.create',
  'entries.update',
  'entries.publish',
  'entries.unpublish',
  'media.update',
  'mediaUploads.create',
  'customReports.create',
  'customReports.update',
  'customReports.delete',
  'governance.resolve',
] as const;
export type Offered = (typeof offered)[number];

export type Permissions = Readonly<Record<Offered, boolean>>;

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
    if (code === 'permission_denied' || code === 'environment_not_allowed') return false;
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

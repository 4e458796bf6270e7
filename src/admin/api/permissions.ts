import type { OperationName } from '../../../contracts/index.js';
import { client, type Outputs } from './client.js';

type CallerRights = Outputs['me']['rights']['data'];
type Limit = CallerRights['operations'][number]['limits'][number];

/** By operation: the limits within which the user may call it; absent if they may not. */
export type Permissions = ReadonlyMap<OperationName, readonly Limit[]>;

/** What an operation would write: entries of a type, values of a locale, or shared ones (null), and a field. */
export interface Reach {
  readonly contentType?: string;
  readonly locale?: string | null;
  readonly field?: string;
}

const reaches = ({ contentTypes, locales, fields }: Limit, { contentType, locale, field }: Reach): boolean =>
  (contentType === undefined || contentTypes === undefined || contentTypes.includes(contentType)) &&
  (locale === undefined || locales === undefined || (locale !== null && locales.includes(locale))) &&
  (field === undefined || fields === undefined || fields.includes(field));

/** Whether the user may call an operation somewhere within `reach`. */
export const mayWith =
  (permissions: Permissions) =>
  (operation: OperationName, reach: Reach = {}): boolean => {
    const limits = permissions.get(operation);
    return limits !== undefined && (limits.length === 0 || limits.some((limit) => reaches(limit, reach)));
  };

export interface Rights {
  readonly permissions: Permissions;
  /** As people know the project. */
  readonly projectName: string;
}

async function readRights(projectSlug: string): Promise<Rights> {
  const { project, operations } = (await client.me.rights.query({ projectSlug })).data;
  return {
    permissions: new Map(operations.map(({ name, limits }) => [name as OperationName, limits])),
    projectName: project.name,
  };
}

const RIGHTS_MILLISECONDS = 5 * 60 * 1000;

/** What the user may do somewhere in the project; rows can still be refused one by one. */
export const rightsIn = (projectSlug: string, environment: string) => ({
  queryKey: ['permissions', projectSlug, environment],
  queryFn: () => readRights(projectSlug),
  staleTime: RIGHTS_MILLISECONDS,
});

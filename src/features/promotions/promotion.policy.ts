import { AppError } from '../../../contracts/errors.js';
import { authorize } from '../../access/authorize.js';
import type { VerbName } from '../../access/grants.js';
import type { ProjectResource } from '../../../contracts/rights.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import type { ComparedEnvironment } from './pair.repository.js';

const readVerbs: readonly VerbName[] = [
  'contentTypes.read',
  'customFieldTypes.read',
  'workflows.read',
  'entries.read',
  'tree.read',
  'media.read',
  'redirects.read',
];

/**
 * Whether the caller may do this to everything in the environment: a comparison shows all of its content.
 * @throws AppError 403 `environment_not_allowed`, `permission_denied`
 */
function assertPermitted(
  work: UnitOfWork,
  { id, slug }: ComparedEnvironment,
  verbs: readonly VerbName[],
): void {
  const { scope } = work;
  const bound = scope.keyBounds?.environmentId ?? null;
  if (bound !== null && bound !== id) throw new AppError('environment_not_allowed', { environment: slug });
  for (const verb of verbs) authorize({ scope: { ...scope, environmentSlug: slug } }, verb, { isLive: true });
}

const written: readonly ProjectResource[] = [
  'contentTypes',
  'customFieldTypes',
  'workflows',
  'entries',
  'tree',
  'redirects',
  'media',
];
/** A promotion creates, changes and deletes, also what is public. */
const writeVerbs: readonly VerbName[] = written.flatMap((resource) =>
  (['create', 'update', 'delete'] as const).map((action): VerbName => `${resource}.${action}`),
);

/** Before the environments are known. */
export function assertMayCompare(work: UnitOfWork): void {
  for (const verb of readVerbs) authorize(work, verb, { isLive: true });
}

export function assertReadable(work: UnitOfWork, environment: ComparedEnvironment): void {
  assertPermitted(work, environment, readVerbs);
}

export function assertPromotable(work: UnitOfWork, environment: ComparedEnvironment): void {
  assertPermitted(work, environment, [...readVerbs, ...writeVerbs, 'entries.publish']);
}

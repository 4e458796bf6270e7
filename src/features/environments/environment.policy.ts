import { AppError } from '../../../contracts/errors.js';
import { isPermitted, refusal } from '../../access/authorize.js';
import type { VerbName } from '../../access/grants.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import type { EnvironmentRow } from './environment.repository.js';

/** @throws AppError 409 `environment_not_ready` */
export function assertReady({ slug, status }: EnvironmentRow): void {
  if (status !== 'ready') throw new AppError('environment_not_ready', { environment: slug, status });
}

/**
 * Permission in another environment than that of the call.
 * @throws AppError 403 `permission_denied`
 */
export function authorizeIn(work: UnitOfWork, environment: EnvironmentRow, name: VerbName): void {
  const { scope } = work;
  const there = { scope: { ...scope, environmentSlug: environment.slug } };
  if (!isPermitted(there, name)) throw refusal(there, name);
}

import { AppError } from '../../../../contracts/errors.js';
import { authorize } from '../../../access/authorize.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { CustomReportRow } from './custom-report.repository.js';
import { commaList } from '../../shared/index.js';

/**
 * A definition belongs to no site or type: only permissions without such limits reach it.
 * @throws AppError 403 `permission_denied`, `not_report_owner`
 */
export function authorizeOwner(
  work: UnitOfWork,
  verb: 'reports.update' | 'reports.delete',
  { ownerId }: CustomReportRow,
): void {
  authorize(work, verb, {});
  if (ownerId !== work.scope.actor.id) throw new AppError('not_report_owner');
}

/** Filters whose values are lists. */
export const filterLists = (filters: Readonly<Record<string, string | string[]>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(filters).map(([key, values]) => [key, commaList(values)]));

import { AppError } from '../../../../contracts/errors.js';
import { authorize } from '../../../access/authorize.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { CustomReportRow } from './custom-report.repository.js';

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

type AsLists<Filters> = { readonly [Key in keyof Filters]: Exclude<Filters[Key], string> };

/** Filters whose values are lists: text separates the values with commas, as it does in a query string. */
export const filterLists = <Filters extends Readonly<Record<string, string | string[]>>>(
  filters: Filters,
): AsLists<Filters> =>
  Object.fromEntries(
    Object.entries(filters).map(([key, values]) => [
      key,
      typeof values === 'string' ? values.split(',') : values,
    ]),
  ) as AsLists<Filters>;

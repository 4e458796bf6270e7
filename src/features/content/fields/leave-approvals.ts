import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { leaveApproval } from '../../entries/entries/index.js';
import { FieldValueRepository, type FieldLocation } from './field-values.repository.js';

/**
 * Before the values of a field are removed or converted: drafts that have one change, as by an edit (rule workflows/changed-content).
 * @param inAllLocales whether values of one locale change the others, too
 */
export async function leaveApprovals(
  work: UnitOfWork,
  field: FieldLocation,
  inAllLocales = false,
): Promise<void> {
  const holders = await work.use(FieldValueRepository).holders(field, inAllLocales);
  if (holders.length === 0) return;
  const catalog = await work.use(CatalogRepository).current();
  await leaveApproval(
    work,
    catalog,
    holders.map(({ name, ...holder }) => ({ ...holder, names: [name] })),
  );
}

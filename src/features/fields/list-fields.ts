import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { fields } from '../../../contracts/management/fields.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { Field } from '../../../contracts/resources/field.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { ContentTypeRepository, presentField, type FieldRow } from '../content-types/index.js';

type SortKey = 'position' | 'name' | 'createdAt' | 'updatedAt';

function compare(a: FieldRow, b: FieldRow, key: SortKey): number {
  const [left, right] = [a[key], b[key]];
  if (left === right || left.valueOf() === right.valueOf()) return a.id < b.id ? -1 : 1;
  return left < right ? -1 : 1;
}

/** Lists the fields of a type, in order of position unless the caller sorts them. */
export async function listFields(
  work: UnitOfWork,
  input: InputOf<typeof fields.list>,
): Promise<{ data: Field[]; meta: PageMeta }> {
  const { fields } = await work.use(ContentTypeRepository).find(input.contentTypeApiName);
  const [key, direction] = input.orderBy.split(':') as [SortKey, string];
  const sorted = [...fields].sort((a, b) => (direction === 'asc' ? compare(a, b, key) : compare(b, a, key)));
  const start = (input.page - 1) * input.limit;
  return listEnvelope(
    { items: sorted.slice(start, start + input.limit).map(presentField), total: fields.length },
    input,
  );
}

import type { FieldRow } from '../content-types/index.js';

/** The fields with one of them at a new place, numbered from 0 without gaps. Unmoved fields stay the same objects. */
export function placed(
  others: readonly FieldRow[],
  field: FieldRow,
  position: number | undefined,
): FieldRow[] {
  const order = [...others].sort((a, b) => a.position - b.position);
  order.splice(Math.min(position ?? order.length, order.length), 0, field);
  return renumbered(order);
}

/** The fields numbered from 0 in their order. Fields that already have their number stay the same objects. */
export function renumbered(fields: readonly FieldRow[]): FieldRow[] {
  return fields.map((field, index) => (field.position === index ? field : { ...field, position: index }));
}

import type { FieldKind } from '../../../contracts/resources/field-kinds.js';
import { kindOf, kindsWhere, linkKinds } from '../../content/field-kinds/index.js';

/** Kinds are a closed list of constants, written as literals so that partial indexes over them apply. */
const literals = (kinds: readonly FieldKind[]): string => kinds.map((kind) => `'${kind}'`).join(', ');

const links = literals(linkKinds);
const customKinds = literals(
  kindsWhere((kind) => kind.customTypeName({ customFieldType: '' }) !== undefined),
);

/** SQL condition: the kind in the column holds links. */
export const isLinkKind = (column: string): string => `${column} IN (${links})`;

/** SQL condition: fields of the kind in the column have a custom field type. */
export const hasCustomType = (column: string): string => `${column} IN (${customKinds})`;

/** SQL of the stored value in a delivered one. */
export function storedValue(type: string, delivered: string): string {
  const { storedKey } = kindOf({ type });
  return storedKey === null ? delivered : `(${delivered} -> '${storedKey}')`;
}

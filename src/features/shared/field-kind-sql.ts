import type { FieldKind } from '../../../contracts/content/fields/field-kinds.js';
import { kindOf, kindsWhere, linkKinds } from '../../content/field-kinds/index.js';

/** Literals, so that partial indexes over kinds apply. */
const literals = (kinds: readonly FieldKind[]): string => kinds.map((kind) => `'${kind}'`).join(', ');

const links = literals(linkKinds);
const customKinds = literals(
  kindsWhere((kind) => kind.customTypeName({ customFieldType: '' }) !== undefined),
);
const blockKinds = literals(kindsWhere(({ takesBlocks }) => takesBlocks));
const free = literals(kindsWhere(({ graphqlType }) => graphqlType === 'JSON'));
const markup = literals(kindsWhere(({ takesMarkup: isMarkup }) => isMarkup));

/** SQL condition on a kind column. */
export const isLinkKind = (column: string): string => `${column} IN (${links})`;

/** SQL condition on a kind column: the items can be blocks of the entry. */
export const isBlocksKind = (column: string): string => `${column} IN (${blockKinds})`;

/** SQL condition on a kind column. */
export const hasCustomType = (column: string): string => `${column} IN (${customKinds})`;

/** SQL condition on a kind column: a single value may be an array. */
export const mayBeArray = (column: string): string => `${column} IN (${free})`;

/** SQL condition on a kind column: values are text with markup. */
export const takesMarkup = (column: string): string => `${column} IN (${markup})`;

/** SQL of the stored value inside a delivered one. */
export function storedValue(type: string, delivered: string): string {
  const { storedKey } = kindOf({ type });
  return storedKey === null ? delivered : `(${delivered} -> '${storedKey}')`;
}

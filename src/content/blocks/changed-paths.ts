import { isEqualJson } from '../exact-json/canonical-json.js';
import type { FieldValues } from '../model/field-definition.js';
import { isOwnBlock, type OwnBlock } from '../model/own-block.js';
import type { BlockType, BlockTypes } from './value-parts.js';

/** Fields whose value differs. */
export function changedNames(before: FieldValues, after: FieldValues): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => !isEqualJson(before[name], after[name]));
}

/** One place where values differ. */
export interface PathChange {
  /** `title`, `sections[<id>].title`; the list itself where blocks came, went or moved. */
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** A group is one object where clients see it. */
const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isOwnBlock(value) ? [value] : [];

const ownIn = (value: unknown): OwnBlock[] => itemsOf(value).filter(isOwnBlock);

/** What a list says without the values of blocks that both sides have. */
const outlineOf = (value: unknown, common: ReadonlySet<string>): unknown[] =>
  itemsOf(value).map((item) => (isOwnBlock(item) && common.has(item._ref) ? { ...item, fields: {} } : item));

/** Where values differ, inside blocks by their ids. */
export function changesIn(before: FieldValues, after: FieldValues, at = ''): PathChange[] {
  return changedNames(before, after).flatMap((name): PathChange[] => {
    const from = before[name];
    const to = after[name];
    const path = `${at}${name}`;
    const was = new Map(ownIn(from).map((block) => [block._ref, block]));
    const is = ownIn(to);
    if (was.size === 0 && is.length === 0) return [{ path, from, to }];
    const common = new Set(is.filter(({ _ref }) => was.has(_ref)).map(({ _ref }) => _ref));
    const inside = is.flatMap((block) =>
      changesIn(was.get(block._ref)?.fields ?? block.fields, block.fields, `${path}[${block._ref}].`),
    );
    const isSameOutline = isEqualJson(outlineOf(from, common), outlineOf(to, common));
    return isSameOutline ? inside : [{ path, from, to }, ...inside];
  });
}

export const changedPaths = (before: FieldValues, after: FieldValues): string[] =>
  changesIn(before, after).map(({ path }) => path);

/**
 * Whether a change at a path of {@link changedPaths} is one of all locales. A path that leads nowhere counts as one.
 * @param values that the change led to
 */
export function isSharedPath(
  types: BlockTypes,
  { type, values }: { readonly type: BlockType; readonly values: FieldValues },
  path: string,
): boolean {
  const [, name = '', id, rest] = /^([^[]+)(?:\[([^\]]+)\]\.(.+))?$/.exec(path) ?? [];
  const field = type.fields.find(({ apiName }) => apiName === name);
  if (field?.localized === true) return false;
  if (rest === undefined) return true;
  const block = ownIn(values[name]).find(({ _ref }) => _ref === id);
  const own = block && types.contentType(block._type);
  if (block === undefined || own === undefined) return true;
  return isSharedPath(types, { type: own, values: block.fields }, rest);
}

/** The entry's field that a path begins with. */
export const rootOf = (path: string): string => /^[^[.]+/.exec(path)?.[0] ?? path;

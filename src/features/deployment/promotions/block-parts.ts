import { isObject } from '../../../content/exact-json/is-object.js';
import { isOwnBlock, type OwnBlock } from '../../../content/model/own-block.js';
import {
  ROOT,
  type Difference,
  type Parts,
  type Properties,
  type Sides,
} from '../../../content/three-way.js';

/**
 * Blocks of an entry in its parts: a list has its blocks without values, and each value is a property of the part that
 * stores it, with the key `<id of the block>.<id of the field>`. So order and values are compared and merged apart, and
 * a block keeps its values where it moved.
 */
interface BlockKey {
  /** Null for a field of the entry. */
  readonly blockId: string | null;
  readonly fieldId: string;
}

const ID = 36;

export const blockKey = (blockId: string | null, fieldId: string): string =>
  blockId === null ? fieldId : `${blockId}.${fieldId}`;

/** Undefined for system keys. */
export function readKey(key: string): BlockKey | undefined {
  if (key.length === ID) return { blockId: null, fieldId: key };
  if (key.length !== 2 * ID + 1) return undefined;
  return { blockId: key.slice(0, ID), fieldId: key.slice(ID + 1) };
}

const outlineIn = (value: unknown): OwnBlock[] => (Array.isArray(value) ? value.filter(isOwnBlock) : []);

/** Ids of the types of the blocks that lists of a part have, by id of the block. */
export const typesOfBlocks = (part: Properties): ReadonlyMap<string, string> =>
  new Map(
    Object.values(part)
      .flatMap(outlineIn)
      .map(({ _ref, _type }) => [_ref, _type]),
  );

/** Keys of the lists that have the blocks of a part, its own and the shared ones, by id of the block. */
export function placesOfBlocks(parts: Parts, part: string): ReadonlyMap<string, BlockKey> {
  const places = new Map<string, BlockKey>();
  for (const name of new Set([ROOT, part]))
    for (const [key, value] of Object.entries(parts.get(name) ?? {})) {
      const place = readKey(key);
      if (place !== undefined) for (const { _ref } of outlineIn(value)) places.set(_ref, place);
    }
  return places;
}

/** `sections[<id>].title`, as it is on the first side that has the block. */
export function pathOfKey(
  { part, key: { blockId, fieldId } }: { readonly part: string; readonly key: BlockKey },
  { source, target, base }: Sides<Parts>,
  nameOf: (fieldId: string) => string,
): string {
  if (blockId === null) return nameOf(fieldId);
  const sides = [source, target, base].map((parts) => placesOfBlocks(parts, part));
  const places = sides.find((side) => side.has(blockId)) ?? new Map<string, BlockKey>();
  let path = `.${nameOf(fieldId)}`;
  const seen = new Set<string>();
  for (let at: string | null = blockId; at !== null && !seen.has(at);) {
    seen.add(at);
    const place = places.get(at);
    const list = place === undefined ? '' : nameOf(place.fieldId);
    path = `${list}[${at}]${path}`;
    at = place?.blockId ?? null;
    if (at !== null) path = `.${path}`;
  }
  return path;
}

type Places = ReadonlyMap<string, BlockKey>;

/** Whether lists lead from the entry to the block. */
function isHeld(blockId: string, places: Places): boolean {
  const seen = new Set<string>();
  for (let at: string | null | undefined = blockId; at !== null; at = places.get(at)?.blockId) {
    if (at === undefined || seen.has(at)) return false;
    seen.add(at);
  }
  return true;
}

/** Without values of blocks that no list of the parts leads to. */
export const withHeldBlocks = (parts: Parts): Parts =>
  new Map(
    [...parts].map(([part, values]) => {
      const places = placesOfBlocks(parts, part);
      const kept = Object.entries(values).filter(([key]) => {
        const blockId = readKey(key)?.blockId ?? null;
        return blockId === null || isHeld(blockId, places);
      });
      return [part, Object.fromEntries(kept)];
    }),
  );

/** The block and those that contain it, of those that the other side does not have. */
function removedChain(blockId: string, here: Places, there: Places): string[] {
  const chain: string[] = [];
  let at: string | null = blockId;
  while (at !== null && here.has(at) && !there.has(at) && !chain.includes(at)) {
    chain.push(at);
    at = here.get(at)?.blockId ?? null;
  }
  return chain;
}

/** Blocks that one side removed where the other changed a value of them, of what contains them, or of what they contain. */
function contestedBlocks(differences: readonly Difference[], { source, target }: Sides<Parts>): Set<string> {
  const contested = new Set<string>();
  const parts = new Set<string>();
  const bothWays = (part: string): (readonly [Places, Places])[] => {
    const [one, other] = [placesOfBlocks(source, part), placesOfBlocks(target, part)];
    return [
      [one, other],
      [other, one],
    ];
  };
  for (const { part, key, changedIn } of differences) {
    const blockId = key === null ? null : (readKey(key)?.blockId ?? null);
    parts.add(part);
    if (blockId === null || changedIn !== 'both') continue;
    for (const [here, there] of bothWays(part))
      for (const id of removedChain(blockId, here, there)) contested.add(id);
  }
  if (contested.size === 0) return contested;
  for (const part of parts)
    for (const [here, there] of bothWays(part))
      for (const id of here.keys())
        if (removedChain(id, here, there).some((container) => contested.has(container))) contested.add(id);
  return contested;
}

/** A block that one side removed and the other changed is a conflict as a whole: its values, and the list that has it. */
export function settleBlocks(differences: readonly Difference[], sides: Sides<Parts>): readonly Difference[] {
  if (!differences.some(({ key, changedIn }) => changedIn === 'both' && key !== null && key.length > ID))
    return differences;
  const contested = contestedBlocks(differences, sides);
  if (contested.size === 0) return differences;
  const listed = (value: unknown): string[] =>
    outlineIn(value).flatMap(({ _ref }) => (contested.has(_ref) ? [_ref] : []));
  return differences.map((difference) => {
    const { key, source, target } = difference;
    const blockId = key === null ? null : (readKey(key)?.blockId ?? null);
    const isOfBlock = blockId !== null && contested.has(blockId);
    const isOfList = listed(source).toSorted().join() !== listed(target).toSorted().join();
    return isOfBlock || isOfList ? { ...difference, changedIn: 'both' as const } : difference;
  });
}

export type KeyedValues = readonly (readonly [key: string, value: unknown])[];

/** The properties of a part that are values of blocks, by id of the block. */
export function valuesOfBlocks(part: Properties): ReadonlyMap<string, KeyedValues> {
  const values = Object.entries(part).filter(([key]) => typeof readKey(key)?.blockId === 'string');
  return Map.groupBy(values, ([key]) => readKey(key)?.blockId ?? '');
}

/** A stored overlay: values of blocks by id of the block. */
export const overlayIn = (value: unknown): [blockId: string, values: Readonly<Record<string, unknown>>][] =>
  isObject(value)
    ? Object.entries(value).flatMap(([id, values]) => (isObject(values) ? [[id, values]] : []))
    : [];

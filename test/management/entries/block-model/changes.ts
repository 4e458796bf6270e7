import { randomUUID } from 'node:crypto';
import { blocksOf, everyPart, isLink, type Item, type Whole } from './model.js';
import type { Change } from './operations.js';

const MOST_BLOCKS = 9;
/** Levels of blocks, all of which delivery expands. */
const LEVELS = 3;

const at = <One>(list: readonly One[], index: number): One | undefined => list[index % list.length];

const listWith = (whole: Whole, id: string): Item[] | undefined =>
  everyPart(whole)
    .flatMap(({ inner = [], asides = [] }) => [inner, asides])
    .find((items) => items.some((item) => !isLink(item) && item.id === id));

const heightOf = (whole: Whole): number =>
  Math.max(0, ...blocksOf(whole).map((block) => 1 + heightOf(block)));

const depthOf = (whole: Whole, id: string): number => {
  if (whole.id === id) return 0;
  const depths = blocksOf(whole).map((block) => 1 + depthOf(block, id));
  return Math.min(Infinity, ...depths);
};

/** The block that a change names, or none. */
const blockAt = (whole: Whole, index: number): Whole | undefined => at(everyPart(whole).slice(1), index);

function add(whole: Whole, { at: index, list, word, nested }: Extract<Change, { verb: 'add' }>): void {
  const target = at(everyPart(whole), index) ?? whole;
  const isFull = everyPart(whole).length > MOST_BLOCKS || depthOf(whole, target.id) >= LEVELS - 1;
  const into = isFull ? whole : target;
  const block: Whole = { id: randomUUID(), ...(word !== undefined && { text: word, tone: word }) };
  if (nested) block.inner = [{ id: randomUUID(), text: 'nested' }];
  into[list] = [...(into[list] ?? []), block];
}

function remove(whole: Whole, block: Whole): void {
  const items = listWith(whole, block.id);
  items?.splice(items.indexOf(block), 1);
}

function move(
  whole: Whole,
  { at: index, to, list }: Extract<Change, { verb: 'move' }>,
  isFree: (id: string) => boolean,
): void {
  const block = blockAt(whole, index);
  if (block === undefined || !everyPart(block).every(({ id }) => isFree(id))) return;
  const inside = new Set(everyPart(block).map(({ id }) => id));
  const targets = everyPart(whole).filter(
    ({ id }) => !inside.has(id) && depthOf(whole, id) + 1 + heightOf(block) <= LEVELS - 1,
  );
  const target = at(targets, to) ?? whole;
  remove(whole, block);
  target[list] = [...(target[list] ?? []), block];
}

/**
 * Makes a change, or none where it finds nothing to change.
 * @param isFree whether a block is in no localized list of another locale, so that it can move to all of them
 */
export function changed(before: Whole, change: Change, isFree: (id: string) => boolean = () => true): Whole {
  const whole = structuredClone(before);
  if (change.verb === 'add') add(whole, change);
  if (change.verb === 'move') move(whole, change, isFree);
  const block = blockAt(whole, change.at);
  if (change.verb === 'remove' && block !== undefined) remove(whole, block);
  if (change.verb === 'edit') {
    const part = at(everyPart(whole), change.at) ?? whole;
    if (change.word === undefined) delete part[change.key];
    else part[change.key] = change.word;
  }
  if (change.verb === 'reorder') (at(everyPart(whole), change.at) ?? whole)[change.list]?.reverse();
  return whole;
}

const sameItems = (a: readonly Item[] | undefined, b: readonly Item[] | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** The request that makes one of the other: what differs, blocks by their ids. */
export function requested(before: Whole, after: Whole): Record<string, unknown> {
  const known = new Map(everyPart(before).map((part) => [part.id, part]));
  const fieldsOf = (was: Whole, is: Whole): Record<string, unknown> => ({
    ...(was.text !== is.text && { text: is.text ?? null }),
    ...(was.tone !== is.tone && { tone: is.tone ?? null }),
    ...(!sameItems(was.inner, is.inner) && { inner: (is.inner ?? []).map(itemOf) }),
    ...(!sameItems(was.asides, is.asides) && { asides: (is.asides ?? []).map(itemOf) }),
  });
  const itemOf = (item: Item): unknown => {
    if (isLink(item)) return { _ref: item.link, _type: 'piece' };
    const was = known.get(item.id);
    if (was === undefined) return { _id: item.id, _type: 'piece', fields: fieldsOf({ id: item.id }, item) };
    const fields = fieldsOf(was, item);
    return Object.keys(fields).length === 0 ? { _ref: item.id, _type: 'piece' } : { _ref: item.id, fields };
  };
  return fieldsOf(before, after);
}

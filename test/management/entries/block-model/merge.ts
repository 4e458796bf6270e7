import { blocksOf, everyPart, isLink, sameAs, type Item, type Whole } from './model.js';

/** Values as paths: order in a list apart from values of the blocks in it. */
type Paths = Map<string, string | string[]>;

const listKey = (id: string, list: 'inner' | 'asides'): string => `${id} ${list}`;

function pathsOf(whole: Whole): Paths {
  const paths: Paths = new Map();
  for (const part of everyPart(whole)) {
    if (part.text !== undefined) paths.set(`${part.id} text`, part.text);
    if (part.tone !== undefined) paths.set(`${part.id} tone`, part.tone);
    for (const list of ['inner', 'asides'] as const) {
      const items = part[list];
      if (items !== undefined)
        paths.set(
          listKey(part.id, list),
          items.map((item) => (isLink(item) ? `=${item.link}` : item.id)),
        );
    }
  }
  return paths;
}

function fromPaths(paths: Paths, id: string): Whole {
  const whole: Whole = { id };
  const [text, tone] = [paths.get(`${id} text`), paths.get(`${id} tone`)];
  if (typeof text === 'string') whole.text = text;
  if (typeof tone === 'string') whole.tone = tone;
  for (const list of ['inner', 'asides'] as const) {
    const items = paths.get(listKey(id, list));
    if (Array.isArray(items))
      whole[list] = items.map((name): Item =>
        name.startsWith('=') ? { link: name.slice(1) } : fromPaths(paths, name),
      );
  }
  return whole;
}

const blockIn = (whole: Whole, id: string): Whole | undefined =>
  everyPart(whole).find((part) => part.id === id);

/** Blocks that one side removed and the other changed, in itself or in what it holds. */
const isContested = (base: Whole, mine: Whole, theirs: Whole): boolean =>
  everyPart(base)
    .flatMap(blocksOf)
    .some(({ id }) => {
      const [was, own, other] = [base, mine, theirs].map((side) => blockIn(side, id));
      const kept = own ?? other;
      return (own === undefined) !== (other === undefined) && sameAs(kept) !== sameAs(was);
    });

/** Values with both changes of the same values; undefined if they contradict each other. */
export function merged(base: Whole, mine: Whole, theirs: Whole): Whole | undefined {
  if (isContested(base, mine, theirs)) return undefined;
  const [was, own, other] = [pathsOf(base), pathsOf(mine), pathsOf(theirs)];
  const result: Paths = new Map();
  for (const key of new Set([...was.keys(), ...own.keys(), ...other.keys()])) {
    const [before, one, two] = [was.get(key), own.get(key), other.get(key)];
    const isMine = sameAs(two) === sameAs(before);
    if (!isMine && sameAs(one) !== sameAs(before) && sameAs(one) !== sameAs(two)) return undefined;
    const value = isMine ? one : two;
    if (value !== undefined) result.set(key, value);
  }
  return fromPaths(result, base.id);
}

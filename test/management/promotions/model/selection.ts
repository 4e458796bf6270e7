import type { Item, Snapshot } from './snapshot.js';

/** Items with their locales; null: all of them. */
export type Selection = ReadonlyMap<string, readonly string[] | null>;
export type Locales = readonly string[] | null;

export const isChosen = (part: string, locales: Locales): boolean =>
  part === '' || locales === null || locales.includes(part);

/** What all locales share, and the given ones. */
export const inLocales = (item: Item | undefined, locales: Locales): Item | undefined =>
  item && new Map([...item].filter(([part]) => isChosen(part, locales)));

/** Every id within a value. */
export function* idsIn(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.length === 36) yield value;
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) yield* idsIn(member);
}

const kinds = ['contentType', 'entry', 'treeNode', 'redirect'] as const;

/** The items with what they need in the source and the target lacks. */
export function withDependencies(
  items: Selection,
  { source, target }: Record<'source' | 'target', Snapshot>,
  differing: ReadonlySet<string>,
): Selection {
  const found = new Map(items);
  const add = (key: string): unknown => found.has(key) || found.set(key, null);
  for (const [key, locales] of found) {
    const item = inLocales(source.get(key), locales);
    if (item === undefined || !differing.has(key)) continue;
    const [kind, id] = key.split(' ');
    const ids = [...item.values()].flatMap((values) => [...idsIn(values)]);
    for (const kindOfOther of kinds)
      for (const other of ids.map((one) => `${kindOfOther} ${one}`))
        if (source.has(other) && !target.has(other)) add(other);
    if (kind !== 'entry') continue;
    add(`contentType ${String(item.get('')?.type)}`);
    if (target.has(key)) continue;
    for (const [other, node] of source) if (node.get('')?.entry === id) add(other);
  }
  return found;
}

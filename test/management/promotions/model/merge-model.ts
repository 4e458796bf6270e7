import { isDeepStrictEqual } from 'node:util';
import { inLocales, isChosen, type Locales, type Selection } from './selection.js';
import type { Item, Snapshot, Values } from './snapshot.js';

type ChangedIn = 'source' | 'target' | 'both';
type Change = 'created' | 'updated' | 'deleted';

export interface Three {
  readonly base: Snapshot;
  readonly source: Snapshot;
  readonly target: Snapshot;
}

export interface MergeOptions {
  readonly prefersSource: boolean;
  /** Null: everything. */
  readonly selected: Selection | null;
  /** Whether what is published is carried, too. */
  readonly publish: boolean;
}

/** What a promotion should do. */
export interface Merge {
  readonly expected: Snapshot;
  readonly conflicts: readonly string[];
  readonly changes: ReadonlyMap<string, Change>;
  /** Items whose content differs. */
  readonly differing: readonly string[];
  /** Items that differ, as `key change conflict`. */
  readonly differences: readonly string[];
  /** Values of the source that were taken. */
  readonly taken: readonly { readonly key: string; readonly value: unknown; readonly field: string }[];
}

const fieldsOf = (snapshot: Snapshot): Set<string> =>
  new Set(
    [...snapshot].flatMap(([key, item]) =>
      key.startsWith('contentType ') ? [...item.keys()].filter((part) => part !== '') : [],
    ),
  );

function where(base: unknown, source: unknown, target: unknown): ChangedIn {
  if (isDeepStrictEqual(target, base)) return 'source';
  return isDeepStrictEqual(source, base) ? 'target' : 'both';
}

/** Both sides without what belongs to fields that the source lacks or the target deleted: that is a change of the type. */
function comparable({ base, source, target }: Three): (item: Item | undefined) => Item | undefined {
  const [was, from, to] = [base, source, target].map(fieldsOf) as [Set<string>, Set<string>, Set<string>];
  const isKept = (key: string): boolean =>
    key.length !== 36 || (from.has(key) && (to.has(key) || !was.has(key)));
  return (item) =>
    item &&
    new Map(
      [...item].map(([part, values]) => [
        part,
        Object.fromEntries(Object.entries(values).filter(([key]) => isKept(key))),
      ]),
    );
}

interface Outcome {
  readonly item: Item | undefined;
  readonly differing: ReadonlySet<string>;
  /** Parts with values of the source. */
  readonly written: ReadonlySet<string>;
  readonly changed: readonly ChangedIn[];
  readonly taken: readonly { readonly field: string; readonly value: unknown }[];
}

/** The merge of one item; parts and values that only one side changed are combined. */
function mergeItem(
  { base, source: all, target }: Record<'base' | 'source' | 'target', Item | undefined>,
  prefersSource: boolean,
  locales: Locales = null,
): Outcome {
  const source = inLocales(all, locales);
  const isTaken = (changed: ChangedIn): boolean =>
    changed === 'source' || (changed === 'both' && prefersSource);
  if (source === undefined || target === undefined) {
    const none = new Set<string>();
    if (source === target) return { item: undefined, changed: [], taken: [], differing: none, written: none };
    const changed = where(base, all, target);
    const values = [...(source ?? [])].flatMap(([, own]) => Object.entries(own));
    const taken = values.map(([field, value]) => ({ field, value }));
    return isTaken(changed)
      ? { item: source, changed: [changed], taken, differing: none, written: new Set(['']) }
      : { item: target, changed: [changed], taken: [], differing: none, written: none };
  }
  const changed: ChangedIn[] = [];
  const taken: { field: string; value: unknown }[] = [];
  const merged = new Map(target);
  const differing = new Set<string>();
  const written = new Set<string>();
  for (const part of new Set([...source.keys(), ...target.keys()])) {
    if (!isChosen(part, locales)) continue;
    const [was, from, to] = [base?.get(part), source.get(part), target.get(part)];
    if (from === undefined || to === undefined) {
      const one = where(was, from, to);
      changed.push(one);
      differing.add(part);
      if (!isTaken(one)) continue;
      written.add(part);
      if (from === undefined) merged.delete(part);
      else merged.set(part, from);
      taken.push(...Object.entries(from ?? {}).map(([field, value]) => ({ field, value })));
      continue;
    }
    const values: Record<string, unknown> = { ...to };
    for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
      if (isDeepStrictEqual(from[key], to[key])) continue;
      // An order that both changed follows the source.
      const found = where(was?.[key], from[key], to[key]);
      const one = key === 'order' && found === 'both' ? 'source' : found;
      changed.push(one);
      differing.add(part);
      if (!isTaken(one)) continue;
      written.add(part);
      if (key in from) values[key] = from[key];
      else delete values[key];
      taken.push({ field: key, value: from[key] });
    }
    merged.set(part, values);
  }
  return { item: merged, changed, taken, differing, written };
}

function changeOf(source: Item | undefined, target: Item | undefined): Change {
  if (target === undefined) return 'created';
  return source === undefined ? 'deleted' : 'updated';
}

/** Values of fields that the merged types do not have are dropped. */
function withoutDroppedFields(snapshot: Map<string, Item>): Snapshot {
  const fields = fieldsOf(snapshot);
  for (const [key, item] of snapshot)
    if (key.startsWith('entry '))
      snapshot.set(
        key,
        new Map(
          [...item].map(([part, values]): [string, Values] => [
            part,
            Object.fromEntries(
              Object.entries(values).filter(([name]) => name.length !== 36 || fields.has(name)),
            ),
          ]),
        ),
      );
  return snapshot;
}

interface Statuses {
  readonly changed: readonly ChangedIn[];
  /** Status by locale if what is published is carried. */
  readonly item: Item;
  readonly isCarrying: boolean;
}

const statusIn = (item: Item | undefined, locale: string): unknown => item?.get(locale)?.status;
const isLive = (status: unknown): boolean => status === 'published' || status === 'changed';

/** Whether something is live follows the side that changed it; an equal draft is published where it is in the source. */
function mergeStatuses(
  three: Three,
  key: string,
  outcome: Pick<Outcome, 'item' | 'written' | 'differing'>,
  locales: Locales = null,
): Statuses {
  const [base, source, target] = [three.base, three.source, three.target].map((one) =>
    one.get(key.replace('entry', 'status')),
  );
  const changed: ChangedIn[] = [];
  const merged = new Map<string, Values>();
  let isCarrying = false;
  for (const locale of outcome.item?.keys() ?? []) {
    if (locale === '') continue;
    const [was, from, to] = [base, source, target].map((one) => statusIn(one, locale));
    const isWritten = outcome.written.has('') || outcome.written.has(locale);
    const isEqual = !outcome.differing.has('') && !outcome.differing.has(locale);
    let side: ChangedIn | undefined;
    if (from !== undefined && to !== undefined) {
      if (isLive(from) !== isLive(to)) side = isLive(to) === isLive(was) ? 'source' : 'target';
      else if (from !== to && isEqual) side = from === 'published' ? 'source' : 'target';
    }
    if (side !== undefined) changed.push(side);
    const follows = side === 'source' && (from === 'published' || from === 'draft');
    const isTaken = isChosen(locale, locales);
    if (follows && isTaken) isCarrying = true;
    const isCarried = isTaken && (follows || (isWritten && from === 'published'));
    const status = isCarried ? from : (to ?? 'draft');
    merged.set(locale, { status });
  }
  return { changed, item: merged, isCarrying };
}

/** A page leaves the tree with its entry; its children move up in its place. */
function withoutLostPages(snapshot: Map<string, Item>, target: Snapshot): void {
  for (const [key, item] of snapshot) {
    const { entry, parent, order } = item.get('') ?? {};
    const page = `entry ${String(entry)}`;
    if (!key.startsWith('treeNode ') || snapshot.has(page) || !target.has(page)) continue;
    snapshot.delete(key);
    for (const [other, child] of snapshot) {
      const values = child.get('');
      if (!other.startsWith('treeNode ') || `treeNode ${String(values?.parent)}` !== key) continue;
      snapshot.set(
        other,
        new Map([['', { ...values, parent, order: Number(order) + Number(values?.order) / 2 ** 62 }]]),
      );
    }
  }
}

/** Values of the target that were not compared remain. */
function withIncomparable(
  item: Item,
  { shown, whole }: { shown: Item | undefined; whole: Item | undefined },
): Item {
  const left = (part: string): Values =>
    Object.fromEntries(
      Object.entries(whole?.get(part) ?? {}).filter(([key]) => !(key in (shown?.get(part) ?? {}))),
    );
  return new Map([...item].map(([part, values]) => [part, { ...left(part), ...values }]));
}

/** Everything that differs, merged where it is selected. */
export function merge(three: Three, { prefersSource, selected, publish }: MergeOptions): Merge {
  const read = comparable(three);
  const expected = new Map(three.target);
  const conflicts: string[] = [];
  const differences: string[] = [];
  const differing: string[] = [];
  const changes = new Map<string, Change>();
  const taken: Merge['taken'][number][] = [];
  for (const key of new Set([...three.source.keys(), ...three.target.keys()])) {
    const [base, source, target] = [three.base, three.source, three.target].map((one) => read(one.get(key)));
    if (key.startsWith('status ')) continue;
    const whole = mergeItem({ base, source, target }, prefersSource);
    const isEntry = key.startsWith('entry ');
    const changed = [...whole.changed, ...(isEntry ? mergeStatuses(three, key, whole).changed : [])];
    if (changed.length === 0) continue;
    if (whole.changed.length > 0) differing.push(key);
    const isOwn = changed.every((one) => one === 'target');
    differences.push(`${key} ${isOwn ? 'none' : changeOf(source, target)} ${whole.changed.includes('both')}`);
    if (selected !== null && !selected.has(key)) continue;
    const locales = selected?.get(key) ?? null;
    const outcome = mergeItem({ base, source, target }, prefersSource, locales);
    const own = { ...outcome, differing: whole.differing };
    const statuses = isEntry ? mergeStatuses(three, key, own, locales) : undefined;
    if (outcome.changed.includes('both')) conflicts.push(key);
    const isCarrying = publish && source !== undefined && target !== undefined && statuses?.isCarrying;
    if (outcome.written.size > 0 || isCarrying) changes.set(key, changeOf(source, target));
    const statusKey = key.replace('entry', 'status');
    if (statuses !== undefined && outcome.item === undefined) expected.delete(statusKey);
    else if (statuses !== undefined && publish) expected.set(statusKey, statuses.item);
    taken.push(...outcome.taken.map((one) => ({ key, ...one })));
    if (outcome.item === undefined) expected.delete(key);
    else expected.set(key, withIncomparable(outcome.item, { shown: target, whole: three.target.get(key) }));
  }
  withoutLostPages(expected, three.target);
  return {
    expected: withoutDroppedFields(expected),
    conflicts,
    changes,
    differing,
    differences: differences.sort(),
    taken,
  };
}

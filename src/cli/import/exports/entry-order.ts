import { setImmediate } from 'node:timers/promises';
import { EntryLink, HtmlText, type SourceEntry } from './export-source.js';

/** Names an entry among those of all types. */
export const entryKey = ({ type, id }: { readonly type: string; readonly id: string }): string =>
  JSON.stringify([type, id]);

function htmlLinks({ html, targets }: HtmlText): EntryLink[] {
  const addresses = html.matchAll(/\shref=(?:"([^"<>]*)"|'([^'<>]*)')/gi);
  return [...addresses].flatMap(([, double, single]) => targets.entryOf(double ?? single ?? '') ?? []);
}

/** Links anywhere in a value. */
function linksIn(values: Iterable<unknown>): EntryLink[] {
  const found: EntryLink[] = [];
  const rest: unknown[] = [...values];
  while (rest.length > 0) {
    const value = rest.pop();
    if (value instanceof EntryLink) found.push(value);
    else if (value instanceof HtmlText) found.push(...htmlLinks(value));
    else if (typeof value === 'object' && value !== null)
      for (const part of Object.values(value)) rest.push(part);
  }
  return found;
}

interface MeasuredEntry {
  readonly entry: SourceEntry;
  /** Entries that it links, and the one above it. */
  readonly needs: string[];
  readonly versions: number;
  /** Characters of the values as JSON, nearly. */
  readonly size: number;
}

/** Reads the versions once. */
function measured(entry: SourceEntry): MeasuredEntry {
  const { parent, versions } = entry;
  const links = versions.flatMap(({ fields }) => linksIn(fields.values()));
  const needs = [...new Set([...(parent === undefined ? [] : [parent]), ...links].map(entryKey))];
  const size = versions.reduce((sum, { fields }) => sum + JSON.stringify([...fields.values()]).length, 0);
  return { entry, needs, versions: versions.length, size };
}

export const needsOf = (entry: SourceEntry): string[] => measured(entry).needs;

/** Keys of the entries above it in the tree. */
function aboveOf(entry: SourceEntry, byKey: ReadonlyMap<string, SourceEntry>): string[] {
  const keys = new Set<string>();
  for (let at: SourceEntry | undefined = entry; at?.parent !== undefined;) {
    const key = entryKey(at.parent);
    if (keys.has(key)) break;
    keys.add(key);
    at = byKey.get(key);
  }
  return [...keys];
}

/** Entries that are read before connections are served, which otherwise end unnoticed. */
const READS = 100;

/** Sorts entries so that those they need come before them, except in cycles, and always parents before children. */
async function inOrder(entries: readonly SourceEntry[]): Promise<MeasuredEntry[]> {
  const byKey = new Map(entries.map((entry) => [entryKey(entry), entry]));
  const seen = new Set<string>();
  const done = new Set<string>();
  const sorted: MeasuredEntry[] = [];
  let reads = 0;
  for (const first of entries) {
    const stack: { one: MeasuredEntry; open: string[] }[] = [];
    const open = (entry: SourceEntry | undefined): void => {
      if (entry === undefined || seen.has(entryKey(entry))) return;
      // An entry that one above it links waits for that one.
      if (aboveOf(entry, byKey).some((key) => seen.has(key) && !done.has(key))) return;
      seen.add(entryKey(entry));
      reads += 1;
      const one = measured(entry);
      const needs = one.needs.filter((key) => byKey.has(key));
      stack.push({ one: { ...one, needs }, open: needs.filter((key) => !seen.has(key)).reverse() });
    };
    open(first);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      if (reads >= READS) {
        reads = 0;
        await setImmediate();
      }
      const next = top.open.pop();
      if (next !== undefined) open(byKey.get(next));
      else {
        stack.pop();
        sorted.push(top.one);
        done.add(entryKey(top.one.entry));
      }
    }
  }
  return sorted;
}

export interface BatchLimits {
  readonly items: number;
  readonly characters: number;
}

/** Entries that are written together. */
interface EntryBatch {
  readonly entries: SourceEntry[];
  /** Number of the last batch with an entry that these need; -1 for none. */
  after: number;
}

/** Batches in the order in which they are written. A parent is in an earlier batch than its children. */
export async function batchesOf(
  entries: readonly SourceEntry[],
  { items, characters }: BatchLimits,
): Promise<EntryBatch[]> {
  const batches: EntryBatch[] = [];
  const places = new Map<string, number>();
  let [count, size] = [0, 0];
  let keys = new Set<string>();
  for (const { entry, needs, versions: own, size: length } of await inOrder(entries)) {
    const isFull = count + own > items || size + length > characters;
    const isChild = entry.parent !== undefined && keys.has(entryKey(entry.parent));
    if (batches.length === 0 || isFull || isChild) {
      batches.push({ entries: [], after: -1 });
      [count, size, keys] = [0, 0, new Set()];
    }
    const batch = batches.at(-1);
    batch?.entries.push(entry);
    places.set(entryKey(entry), batches.length - 1);
    for (const place of needs.map((key) => places.get(key) ?? -1))
      if (batch !== undefined && place < batches.length - 1) batch.after = Math.max(batch.after, place);
    count += own;
    size += length;
    keys.add(entryKey(entry));
  }
  return batches;
}

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

/** Characters of the values as JSON, nearly. */
function sizeOf(entry: SourceEntry): number {
  return entry.versions.reduce((sum, { fields }) => sum + JSON.stringify([...fields.values()]).length, 0);
}

/** What entries need: those that they link, and the one above them. */
export function needsOf(entry: SourceEntry): string[] {
  const links = entry.versions.flatMap(({ fields }) => linksIn(fields.values()));
  return [...(entry.parent === undefined ? [] : [entry.parent]), ...links].map(entryKey);
}

/** Sorts entries so that those they need come before them, except in cycles. */
function inOrder(entries: readonly SourceEntry[]): SourceEntry[] {
  const byKey = new Map(entries.map((entry) => [entryKey(entry), entry]));
  const seen = new Set<string>();
  const sorted: SourceEntry[] = [];
  for (const first of entries) {
    const stack: { entry: SourceEntry; needs: string[] }[] = [];
    const open = (entry: SourceEntry | undefined): void => {
      if (entry === undefined || seen.has(entryKey(entry))) return;
      seen.add(entryKey(entry));
      stack.push({ entry, needs: needsOf(entry).reverse() });
    };
    open(first);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.needs.pop();
      if (next !== undefined) open(byKey.get(next));
      else {
        stack.pop();
        sorted.push(top.entry);
      }
    }
  }
  return sorted;
}

export interface BatchLimits {
  readonly items: number;
  readonly characters: number;
}

/** Entries that are written together. A parent is in an earlier batch than its children. */
export function batchesOf(
  entries: readonly SourceEntry[],
  { items, characters }: BatchLimits,
): SourceEntry[][] {
  const batches: SourceEntry[][] = [];
  let [count, size] = [0, 0];
  let keys = new Set<string>();
  for (const entry of inOrder(entries)) {
    const [own, length] = [entry.versions.length, sizeOf(entry)];
    const isFull = count + own > items || size + length > characters;
    const isChild = entry.parent !== undefined && keys.has(entryKey(entry.parent));
    if (batches.length === 0 || isFull || isChild) {
      batches.push([]);
      [count, size, keys] = [0, 0, new Set()];
    }
    batches.at(-1)?.push(entry);
    count += own;
    size += length;
    keys.add(entryKey(entry));
  }
  return batches;
}

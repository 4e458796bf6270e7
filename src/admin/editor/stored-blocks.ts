import type { Content } from './draft.js';

interface BlockItem {
  readonly _ref?: unknown;
  readonly _type?: unknown;
}

const isNew = (item: unknown): item is BlockItem =>
  typeof item === 'object' && item !== null && '_type' in item && !('_ref' in item);

/** The stored block that a new one became. */
interface Stored {
  readonly sent: unknown;
  readonly at: number;
  readonly link: BlockItem;
}

function linksOf(sent: readonly unknown[], saved: readonly unknown[]): Stored[] {
  return sent.flatMap((item, at) => (isNew(item) ? [{ sent: item, at, link: saved[at] as BlockItem }] : []));
}

/** Where the item is as it was sent, it is left to the saved value; where it was typed in since, it is linked. */
function linkItem(item: unknown, index: number, links: readonly Stored[]): unknown {
  if (!isNew(item)) return item;
  const same = links.find(({ sent }) => sent === item);
  if (same !== undefined) return same.link;
  const typed = links.find(({ sent, at }) => at === index && (sent as BlockItem)._type === item._type);
  return typed === undefined ? item : { ...item, ...typed.link };
}

/**
 * Typing goes on while a draft is saved. A block that was new in what was sent exists from then on: what was typed
 * names it, or the next save would create it again.
 */
export function withStoredBlocks(typed: Content, sent: Content, saved: Content): Content {
  const fields = Object.entries(typed.fields).map(([name, value]): [string, unknown] => {
    const [before, after] = [sent.fields[name], saved.fields[name]];
    if (value === before || !Array.isArray(value) || !Array.isArray(before) || !Array.isArray(after))
      return [name, value];
    if (before.length !== after.length) return [name, value];
    const links = linksOf(before, after);
    return [name, value.map((item: unknown, index) => linkItem(item, index, links))];
  });
  return { ...typed, fields: Object.fromEntries(fields) };
}

import type { ListedLine, Survey } from './survey.js';

/** Pages of one level whose lines are written one locale after the other. */
export interface PageGroup {
  /** Lines that are written together: of one locale, each of another page. */
  readonly batches: readonly (readonly ListedLine[])[];
}

/** Bytes of the lines that are written together, because their documents are in memory together. */
const BATCH_BYTES = 1_048_576;
/** Fewer lines are not divided. */
const SMALL = 20;

/** In their order; at most `size` lines and {@link BATCH_BYTES}, but at least one line. */
export function batchesOf(lines: readonly ListedLine[], size: number): ListedLine[][] {
  const batches: ListedLine[][] = [];
  let bytes = 0;
  for (const line of lines) {
    const last = batches.at(-1);
    bytes += line.length;
    if (last === undefined || last.length >= size || bytes > BATCH_BYTES) {
      batches.push([line]);
      bytes = line.length;
    } else last.push(line);
  }
  return batches;
}

function* inChunks<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

/**
 * Groups by level, each with at most `size` pages. Groups of a level do not depend on each other; there are several, so
 * that one is converted while another is stored.
 */
export function groupPages(
  { lines, locales }: Pick<Survey, 'lines' | 'locales'>,
  levels: readonly (readonly string[])[],
  size: number,
): PageGroup[][] {
  const byLocale = new Map(
    [...Map.groupBy(lines, ({ locale }) => locale)].map(([locale, own]) => [
      locale,
      new Map(own.map((line) => [line.key, line])),
    ]),
  );
  return levels.map((keys) => {
    const pages = keys.length <= SMALL ? keys.length : Math.min(size, Math.ceil(keys.length / 2));
    return [...inChunks(keys, Math.max(pages, 1))].map((chunk) => ({
      batches: locales.flatMap((locale) => {
        const own = byLocale.get(locale);
        return batchesOf(
          chunk.flatMap((key) => own?.get(key) ?? []),
          size,
        );
      }),
    }));
  });
}

import { markAttributes } from './attributes.js';

type Read = (name: string) => string | null;

/** As Markdown and hand-written HTML name entries and assets: `entry:<id>#anchor`. */
const reference = /^(entry|asset):([^#]*)(?:#(.*))?$/;

const isGood = (name: string, value: string | null): value is string =>
  value !== null && markAttributes.link?.[name]?.isGood(value) === true;

/**
 * What the element of a link leads to. Delivered HTML has both the id and the path of today; the id counts.
 * @returns no key if it leads nowhere that is allowed
 */
export function linkTargetOf(read: Read): Readonly<Record<string, string>> {
  const href = read('href');
  const [, kind, named = null, fragment = null] = reference.exec(href ?? '') ?? [];
  const entryId = read('data-entry') ?? (kind === 'entry' ? named : null);
  const assetId = read('data-asset') ?? (kind === 'asset' ? named : null);
  const anchor = read('data-anchor') ?? fragment;
  const anchored = isGood('anchor', anchor) ? { anchor } : {};
  if (isGood('entryId', entryId)) return { entryId, ...anchored };
  if (isGood('assetId', assetId)) return { assetId, ...anchored };
  return isGood('href', href) ? { href } : {};
}

/** The id of the asset that the source of an image names. */
export const assetOfSource = (source: string | null): string | undefined =>
  linkTargetOf((name) => (name === 'href' ? source : null)).assetId;

import { isUuid } from '../../../infrastructure/ids.js';
import type { DeliveryMedia } from '../../../../contracts/media/media/media-asset.js';
import { deliverAsset, type AssetUrls, type MediaSource } from '../../media/media/index.js';
import type { DeliveryTrace } from './delivery-trace.js';
import { escapeHtml } from '../../../content/rich-text/to-html.js';

/**
 * Reads assets by id, along a chain of locales.
 * @param siteId omits assets of other sites
 */
export type ReadMedia = (
  ids: readonly string[],
  locales: readonly string[],
  siteId?: string,
) => Promise<ReadonlyMap<string, DeliveryMedia>>;

interface MediaRead {
  readonly trace: DeliveryTrace;
  readonly urls: AssetUrls;
  readonly projectSlug: string;
}

/** Reads assets in one statement. The response depends on each, also on those that do not exist. */
export function readMedia(source: MediaSource, { trace, urls, projectSlug }: MediaRead): ReadMedia {
  return async (given, locales, siteId) => {
    const ids = given.filter(isUuid);
    for (const id of ids) trace.addMedia(id);
    const assets = await source.byIds(ids, locales);
    for (const { override } of assets) if (override !== null) trace.addMedia(override.id);
    const place = { urls, projectSlug, locales };
    const shown = assets.filter(
      ({ siteIds }) => siteId === undefined || siteIds.length === 0 || siteIds.includes(siteId),
    );
    return new Map(shown.map((asset) => [asset.id, deliverAsset(asset, place)]));
  };
}

type Values = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Texts of documents are escaped, so that only embeds look like this. */
const FIGURE = /<figure data-asset="([0-9a-f-]{36})"(?: data-alt="([^"]*)")?(?: data-align="[a-z]+")?>/g;

const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]);

/** Ids that a delivered value names: a link, or embeds in the HTML of a rich text. */
function idsIn(value: unknown): string[] {
  if (!isObject(value)) return [];
  if (typeof value._ref === 'string') return [value._ref];
  if (typeof value.html !== 'string' || !value.html.includes('<figure data-asset=')) return [];
  return [...value.html.matchAll(FIGURE)].map(([, id]) => id ?? '');
}

/** Assets that the value of a field names. */
export const mediaIdsIn = (value: unknown): string[] => itemsOf(value).flatMap(idsIn);

/** Whether a value of a field can name assets, by its JSON. */
export const mayNameMedia = (json: string): boolean =>
  json.includes('"_ref":') || json.includes('<figure data-asset=');

const attribute = (name: string, value: string | number | null): string =>
  value === null ? '' : ` ${name}="${escapeHtml(String(value))}"`;

/**
 * A picture, or a link to the file.
 * @param alt as HTML, in place of the asset's own text
 */
function htmlOf(
  { url, mimeType, fileName, width, height, altText, title }: DeliveryMedia,
  alt: string | undefined,
): string {
  if (!mimeType.startsWith('image/'))
    return `<a${attribute('href', url)}>${escapeHtml(title ?? fileName)}</a>`;
  const size = `${attribute('width', width)}${attribute('height', height)}`;
  const shown = alt === undefined ? attribute('alt', altText ?? '') : ` alt="${alt}"`;
  return `<img${attribute('src', url)}${shown}${attribute('title', title)}${size}>`;
}

/** The HTML of a rich text with its embeds shown. Embeds of missing assets stay empty. */
function withEmbeds(html: string, media: ReadonlyMap<string, DeliveryMedia>): string {
  return html.replace(FIGURE, (figure, id: string, alt: string | undefined) => {
    const asset = media.get(id);
    return asset === undefined ? figure : `${figure}${htmlOf(asset, alt)}`;
  });
}

function showItem(value: unknown, media: ReadonlyMap<string, DeliveryMedia>): unknown {
  if (!isObject(value)) return value;
  if (typeof value.html === 'string') return { ...value, html: withEmbeds(value.html, media) };
  const asset = typeof value._ref === 'string' ? media.get(value._ref) : undefined;
  return asset === undefined ? value : { _id: asset.id, _type: value._type, ...asset };
}

/** The value of a field with its assets in place of links, and embeds shown. */
export function showMedia(value: unknown, media: ReadonlyMap<string, DeliveryMedia>): unknown {
  return Array.isArray(value) ? value.map((item) => showItem(item, media)) : showItem(value, media);
}

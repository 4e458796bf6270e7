import type { DeliveryMedia } from '../../../contracts/media/media/media-asset.js';
import type { RichTextLink, RichTextValue } from '../../../contracts/rich-text.js';
import { escapeHtml, toText } from './to-html.js';

/** An entry that readers can see. */
export interface ShownEntry extends RichTextLink {
  /** Null if it has no page. */
  readonly href: string | null;
}

/** What the entries and assets that a text names are now; undefined where readers see none. */
export interface Shown {
  entry(id: string): ShownEntry | undefined;
  asset(id: string): DeliveryMedia | undefined;
}

/** A delivered text whose references are not shown yet. */
export type StoredText = Omit<RichTextValue, 'links'>;

/** Text is escaped in HTML, so that only references look like this, here and below. */
const REFERENCE = /<(?:a|span|figure) data-(entry|mention|asset)="([0-9a-f-]{36})"/g;
const LINK =
  /<a data-(entry|asset)="([0-9a-f-]{36})"(?: data-anchor="([^"]*)")?((?: [a-z]+="[^"]*")*)>(.*?)<\/a>/gs;
const MENTION = /<span data-mention="([0-9a-f-]{36})"><\/span>/g;
const ENTRY = /(<figure data-entry="([0-9a-f-]{36})">)<\/figure>/g;
const ASSET = /<figure data-asset="([0-9a-f-]{36})"(?: data-alt="([^"]*)")?(?: data-align="[a-z]+")?>/g;

/** Whether a value can name something, by its JSON. */
export const mayName = (json: string): boolean =>
  /<(?:a|span|figure) data-(?:entry|mention|asset)=/.test(json);

/** Ids that the HTML of a text names, each once. */
export function namedIn(html: string): { readonly entries: string[]; readonly assets: string[] } {
  const found = [...html.matchAll(REFERENCE)];
  const idsOf = (isAsset: boolean) => [
    ...new Set(found.filter(([, kind]) => (kind === 'asset') === isAsset).map(([, , id = '']) => id)),
  ];
  return { entries: idsOf(false), assets: idsOf(true) };
}

const attribute = (name: string, value: string | number | null): string =>
  value === null ? '' : ` ${name}="${escapeHtml(String(value))}"`;

/**
 * A picture, or a link to the file.
 * @param alt as HTML, in place of the asset's own text
 */
function assetHtml(asset: DeliveryMedia, alt: string | undefined): string {
  const { url, mimeType, fileName, width, height, altText, title } = asset;
  if (!mimeType.startsWith('image/'))
    return `<a${attribute('href', url)}>${escapeHtml(title ?? fileName)}</a>`;
  const size = `${attribute('width', width)}${attribute('height', height)}`;
  const shownAlt = alt === undefined ? attribute('alt', altText ?? '') : ` alt="${alt}"`;
  return `<img${attribute('src', url)}${shownAlt}${attribute('title', title)}${size}>`;
}

/** A link to an entry with its title, the title alone if it has no page. */
function entryHtml({ href, title }: ShownEntry, data = ''): string {
  const text = escapeHtml(title ?? '');
  return href === null ? text : `<a${data}${attribute('href', href)}>${text}</a>`;
}

/** Links lead to what is live; the text of the others stays. Embeds of what is not there stay empty. */
function showInHtml(html: string, { entry, asset }: Shown): string {
  return html
    .replace(ENTRY, (_figure, open: string, id: string) => {
      const shown = entry(id);
      return `${open}${shown === undefined ? '' : entryHtml(shown)}</figure>`;
    })
    .replace(ASSET, (figure, id: string, alt: string | undefined) => {
      const shown = asset(id);
      return shown === undefined ? figure : `${figure}${assetHtml(shown, alt)}`;
    })
    .replace(MENTION, (mention, id: string) => {
      const shown = entry(id);
      if (shown === undefined) return mention;
      const data = ` data-mention="${id}"`;
      return shown.href === null ? `<span${data}>${entryHtml(shown)}</span>` : entryHtml(shown, data);
    })
    .replace(LINK, (...[, kind, id, anchor, others, text]: string[]) => {
      const target = kind === 'asset' ? asset(id ?? '')?.url : entry(id ?? '')?.href;
      if (target === undefined || target === null) return text ?? '';
      const data = ` data-${kind ?? ''}="${id ?? ''}"${anchor === undefined ? '' : ` data-anchor="${anchor}"`}`;
      const fragment = anchor === undefined ? '' : `#${anchor}`;
      return `<a${data} href="${escapeHtml(target)}${fragment}"${others ?? ''}>${text ?? ''}</a>`;
    });
}

const assetLink = ({ url, title, fileName }: DeliveryMedia): RichTextLink => ({
  _type: 'MediaAsset',
  _slug: null,
  _path: url,
  title: title ?? fileName,
});

function linksOf(html: string, { entry, asset }: Shown): Record<string, RichTextLink> {
  const { entries, assets } = namedIn(html);
  const links: Record<string, RichTextLink> = {};
  for (const id of entries) {
    const shown = entry(id);
    if (shown === undefined) continue;
    const { _type, _slug, _path, title } = shown;
    links[id] = { _type, _slug, _path, title };
  }
  for (const id of assets) {
    const shown = asset(id);
    if (shown !== undefined) links[id] = assetLink(shown);
  }
  return links;
}

const namesEntries = /<(?:span data-mention|figure data-entry)=/;

/** The text with what it names as it is now. */
export function showReferences(value: StoredText, shown: Shown): RichTextValue {
  const { html, raw } = value;
  const titleOf = (id: string): string => shown.entry(id)?.title ?? '';
  const text = namesEntries.test(html) ? toText(raw, titleOf) : value.text;
  return { ...value, html: showInHtml(html, shown), text, links: linksOf(html, shown) };
}

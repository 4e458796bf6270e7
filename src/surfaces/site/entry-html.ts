import type { DeliveryEntry } from '../../../contracts/publishing/delivery/content-entry.js';
import type { ContentSource } from '../../../contracts/publishing/delivery/source-map.js';
import type { DeliveryMedia } from '../../../contracts/media/media/media-asset.js';
import type { Catalog, FieldDefinition } from '../../content/catalog.js';
import { isObject } from '../../content/exact-json/is-object.js';
import { kindOf } from '../../content/field-kinds/index.js';
import { escapeHtml as escaped } from '../../content/rich-text/to-html.js';
import { titleFieldOf } from '../../content/slug-field.js';

export interface EntryParts {
  readonly catalog: Catalog;
  /** By JSON pointer into the response; empty for published content. */
  readonly sources: Readonly<Record<string, ContentSource>>;
  /** URL of a path of the site, with its query and fragment; undefined where pages have no links. */
  readonly hrefOf: (path: string) => string | undefined;
}

/** Where a value is: its JSON pointer, and the level of the headings beside it. */
interface ValuePosition {
  readonly at: string;
  readonly level: number;
}

const isEntry = (value: unknown): value is DeliveryEntry =>
  isObject(value) && typeof value._id === 'string' && isObject(value.fields);

const isAsset = (value: unknown): value is DeliveryMedia =>
  isObject(value) && typeof value.url === 'string' && typeof value.mimeType === 'string';

const isMissing = (value: unknown): boolean => value === null || value === undefined || value === '';

/** Attributes of delivered links to a path of the site. Texts are escaped, so that nothing else looks like this. */
const PATH_LINK = / href="(\/(?!\/|media\/)[^"]*)"/g;

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const unescaped = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity);

const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/** The title of an entry as text, its slug if it has none. */
export function titleOf(catalog: Catalog, { _type, _slug, fields }: DeliveryEntry): string {
  const type = catalog.contentType(_type);
  const named = type === undefined ? null : titleFieldOf(type);
  const title = named === null ? undefined : fields[named];
  return typeof title === 'string' && title.trim() !== '' ? title : _slug;
}

/** A value that is no prose and names nothing. */
function factHtml(value: unknown, isPlace: boolean): string {
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  if (typeof value === 'number') return String(value);
  if (isPlace && isObject(value)) return escaped(Object.values(value).join(', '));
  if (typeof value !== 'string') return `<pre>${escaped(JSON.stringify(value, null, 2))}</pre>`;
  const target = /^https?:\/\//i.test(value) ? value : ADDRESS.test(value) ? `mailto:${value}` : undefined;
  if (target === undefined) return escaped(value);
  return `<a href="${escaped(target)}" rel="noopener noreferrer">${escaped(value)}</a>`;
}

/** An entry as HTML by one plain template: everything is escaped, and each value names its field. */
export class EntryHtml {
  /** Origins of the files that it shows. */
  readonly origins = new Set<string>();

  constructor(private readonly parts: EntryParts) {}

  /** @param at JSON pointer of the entry */
  entry(entry: DeliveryEntry, at: string, level = 1): string {
    const { catalog } = this.parts;
    const type = catalog.contentType(entry._type);
    if (type === undefined) return '';
    const named = titleFieldOf(type);
    const placeOf = (name: string): ValuePosition => ({ at: `${at}/fields/${name}`, level });
    const title = named === null ? '' : this.#title(entry, placeOf(named));
    const fields = type.fields
      .filter(({ apiName }) => apiName !== named)
      .map((field) => this.#field(field, entry.fields[field.apiName], placeOf(field.apiName)));
    return [title, ...fields].filter((html) => html !== '').join('\n');
  }

  #title(entry: DeliveryEntry, { at, level }: ValuePosition): string {
    const heading = `h${String(Math.min(level, 6))}`;
    return `<${heading}${this.#source(at)}>${escaped(titleOf(this.parts.catalog, entry))}</${heading}>`;
  }

  #source(at: string): string {
    const source = this.parts.sources[at];
    if (source === undefined) return '';
    const { entryId, locale, path } = source;
    return ` data-source="${escaped(JSON.stringify([entryId, locale, path]))}"`;
  }

  #field(field: FieldDefinition, value: unknown, place: ValuePosition): string {
    const isSeveral = Array.isArray(value) && (field.isList || kindOf(field).isAlwaysList);
    const values = (isSeveral ? (value as unknown[]) : [value]).map((one, index) => ({
      one,
      at: isSeveral ? `${place.at}/${String(index)}` : place.at,
    }));
    const shown = values
      .filter(({ one }) => !isMissing(one))
      .map(({ one, at }) => this.#value(field, one, { ...place, at }))
      .filter((html) => html !== '');
    if (shown.length === 0 || kindOf(field).givesSlug) return '';
    const source = this.#source(place.at);
    const { isProse, titles, takesBlocks, graphqlType } = kindOf(field);
    const isRead = isProse || takesBlocks || graphqlType === 'RichText' || graphqlType === 'MediaAsset';
    const style = isProse && titles !== 'first' ? ' class="lead"' : '';
    if (isRead) return `<div${style}${source}>${shown.join('\n')}</div>`;
    const items = shown.map((html) => `<dd>${html}</dd>`).join('');
    return `<dl><div${source}><dt>${escaped(field.name)}</dt>${items}</div></dl>`;
  }

  #value(field: FieldDefinition, value: unknown, place: ValuePosition): string {
    const { isProse, isLink, takesBlocks, graphqlType } = kindOf(field);
    if (graphqlType === 'MediaAsset') return isAsset(value) ? this.#media(value) : '';
    if (graphqlType === 'RichText')
      return isObject(value) && typeof value.html === 'string' ? this.#text(value.html) : '';
    if (isProse) return `<p>${escaped(String(value))}</p>`;
    if (!isLink) return factHtml(value, graphqlType === 'Location');
    if (!isEntry(value)) return '';
    if (!takesBlocks) return this.#link(value);
    return `<section>${this.entry(value, place.at, place.level + 1)}</section>`;
  }

  #link(entry: DeliveryEntry): string {
    const title = escaped(titleOf(this.parts.catalog, entry));
    const { _path: path } = entry;
    const href = typeof path === 'string' ? this.parts.hrefOf(path) : undefined;
    return href === undefined ? title : `<a href="${escaped(href)}">${title}</a>`;
  }

  #media({ url, mimeType, altText, title, fileName, width, height }: DeliveryMedia): string {
    this.#addOrigin(url);
    const name = escaped(title ?? fileName);
    if (!mimeType.startsWith('image/')) return `<p><a href="${escaped(url)}">${name}</a></p>`;
    const size =
      width === null || height === null ? '' : ` width="${String(width)}" height="${String(height)}"`;
    return `<img src="${escaped(url)}" alt="${escaped(altText ?? '')}"${size}>`;
  }

  /** The HTML of a document tree, which the service has made: its paths lead to pages of this site. */
  #text(html: string): string {
    for (const [, url = ''] of html.matchAll(/<img src="([^"]*)"/g)) this.#addOrigin(url);
    return html.replace(PATH_LINK, (_link, target: string) => {
      const href = this.parts.hrefOf(unescaped(target));
      return href === undefined ? '' : ` href="${escaped(href)}"`;
    });
  }

  #addOrigin(url: string): void {
    if (URL.canParse(url)) this.origins.add(new URL(url).origin);
  }
}

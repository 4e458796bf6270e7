import { limits } from '../../../../contracts/limits.js';
import { EntrySlug } from '../../../../contracts/primitives.js';
import { htmlToRichText } from '../../../content/rich-text/html/html-to-rich-text.js';
import { toText } from '../../../content/rich-text/to-html.js';
import {
  AssetLink,
  EntryLink,
  HtmlText,
  type Losses,
  type SourceEntry,
  type SourceVersion,
} from './export-source.js';
import { cellValue } from './table-columns.js';
import { metaOf, metaValues, textIn, type WxrElement, type WxrItem } from './wordpress-file.js';
import type { PostShape } from './wordpress-types.js';
import { readWordPressHtml } from './wordpress-html.js';

const EDIT = 'Edit the entry after the import.';

/** Plain words of HTML. */
export const plainOf = (html: string): string => (html === '' ? '' : toText(htmlToRichText(html)).trim());

/** What the items of an export say of each other. */
interface WordPressItems {
  readonly locale: string;
  readonly byId: ReadonlyMap<string, WxrItem>;
  /** Ids of files by the item that they were added to. */
  readonly attached: ReadonlyMap<string, readonly string[]>;
  assetOf(src: string): string | undefined;
  entryOf(href: string): EntryLink | undefined;
  readonly shapes: ReadonlyMap<string, PostShape>;
  /** Id of the type of the terms of a taxonomy. */
  termType(taxonomy: string): string | undefined;
}

export function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

/** In UTC; undefined for none. */
function timeOf(item: WxrElement, name: string): string | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(textIn(item, name)) ?? [];
  return day === undefined || day.startsWith('0000') ? undefined : `${day}T${time ?? ''}Z`;
}

type Lose = (what: string, why: string, remedy?: string) => void;

/** Reads posts, pages and items of other types. */
export class WordPressEntries {
  /** Items whose parents were passed. */
  readonly #circular = new Map<WxrItem, boolean>();

  constructor(
    private readonly known: WordPressItems,
    private readonly losses: Losses,
  ) {}

  /** @param element the item as it was read */
  read(item: WxrItem, element: WxrElement): SourceEntry[] {
    const { type, id } = item;
    const status = textIn(element, 'wp:status');
    const where = `${type} ${id}`;
    const lose: Lose = (what, why, remedy = EDIT): void => {
      this.losses.add('entry', where, [what, why, remedy]);
    };
    if (status === 'trash' || status === 'auto-draft') {
      lose('the entry', `Its status is ${status}.`, 'Restore it before the export.');
      return [];
    }
    const hasPassword = textIn(element, 'wp:post_password') !== '';
    if (hasPassword)
      lose(
        'the password',
        'Entries have no passwords. It is a draft.',
        'Publish it for everyone, or not at all.',
      );
    const isPublished = status === 'publish' && !hasPassword;
    if (['future', 'private', 'pending'].includes(status))
      lose(
        `the status ${status}`,
        'It is a draft.',
        status === 'future' ? `Schedule it for ${timeOf(element, 'wp:post_date_gmt') ?? 'its time'}.` : EDIT,
      );
    const slug = EntrySlug.safeParse(decoded(textIn(element, 'wp:post_name'))).data;
    const createdAt = status === 'future' ? undefined : timeOf(element, 'wp:post_date_gmt');
    const parent = this.#parent(item, lose);
    const { locale } = this.known;
    const versions = (): SourceVersion[] => [{ locale, slug, fields: this.#fields(item, lose) }];
    return [
      {
        type,
        id,
        where,
        isPublished,
        address: item.link,
        facts: {
          createdAt,
          updatedAt: timeOf(element, 'wp:post_modified_gmt') ?? createdAt,
          publishedAt: createdAt,
        },
        author: textIn(element, 'dc:creator') || undefined,
        ...(parent !== undefined && { parent }),
        get versions() {
          return versions();
        },
      },
    ];
  }

  /** A page whose parents form a cycle is at the root. */
  #parent(item: WxrItem, lose: Lose): EntryLink | undefined {
    const { type, parentId } = item;
    if (parentId === '' || parentId === '0' || type === 'post') return undefined;
    const { isPage, hasParentField } = this.known.shapes.get(type) ?? {};
    const parent = this.known.byId.get(parentId);
    if (hasParentField === true && (isPage !== true || (parent !== undefined && parent.type !== type)))
      return undefined;
    if (this.#isCircular(item)) {
      lose(`the parent ${parentId}`, 'Its parents form a cycle.');
      return undefined;
    }
    if (parent?.type === type && isPage === true) return new EntryLink(type, parentId);
    lose(`the parent ${parentId}`, `The export has no such ${type}.`);
    return undefined;
  }

  /** Whether its parents come to a cycle. Each item is passed once. */
  #isCircular(item: WxrItem): boolean {
    const passed = new Set<WxrItem>();
    let at: WxrItem | undefined = item;
    while (at !== undefined && !passed.has(at) && !this.#circular.has(at)) {
      passed.add(at);
      at = this.known.byId.get(at.parentId);
    }
    const isCircular = at !== undefined && (this.#circular.get(at) ?? true);
    for (const one of passed) this.#circular.set(one, isCircular);
    return isCircular;
  }

  #fields({ id, type: own, parentId, read }: WxrItem, lose: Lose): Map<string, unknown> {
    const fields = new Map<string, unknown>();
    const item = read();
    const title = textIn(item, 'title');
    const plain = plainOf(title);
    if (/<[a-z]/i.test(title)) lose('the markup of the title', 'A title is plain.');
    if (plain.length > limits.textLength)
      lose('the end of the title', `It is longer than ${String(limits.textLength)} characters.`);
    if (plain !== '') fields.set('title', plain.slice(0, limits.textLength));
    const body = this.#body(id, item, lose);
    if (body !== undefined) fields.set('body', body);
    const excerpt = textIn(item, 'excerpt:encoded');
    if (excerpt !== '') fields.set('excerpt', excerpt);
    const thumbnail = metaOf(item).get('_thumbnail_id');
    if (thumbnail !== undefined) fields.set('image', new AssetLink(thumbnail));
    const shape = this.known.shapes.get(own);
    for (const [taxonomy, name] of shape?.taxonomies ?? []) {
      const type = this.known.termType(taxonomy) ?? taxonomy;
      const links = this.#termsOf(item, taxonomy).map((slug) => new EntryLink(type, slug));
      if (links.length > 0) fields.set(name, links);
    }
    if (shape?.hasParentField === true) {
      const parent = this.known.byId.get(parentId);
      const isInTree = shape.isPage && parent?.type === own;
      if (parent !== undefined && !isInTree && parent.type !== 'attachment')
        fields.set('(parent)', new EntryLink(parent.type, parent.id));
    }
    for (const { key, source } of shape?.metas ?? []) {
      const values = metaValues(item, key).flatMap((value) => cellValue(value, source.type) ?? []);
      const kept = values.filter((value) => value !== '');
      if (kept.length > 0) fields.set(source.id, source.isList === true ? kept : kept[0]);
    }
    if (own !== 'post') return fields;
    const [format] = this.#termsOf(item, 'post_format');
    if (format !== undefined) fields.set('format', format.replace('post-format-', ''));
    if (textIn(item, 'wp:is_sticky') === '1') fields.set('isSticky', true);
    return fields;
  }

  #termsOf = ({ children }: WxrElement, domain: string): string[] => [
    ...new Set(
      children.flatMap(([name, { attributes }]) =>
        name === 'category' && attributes.domain === domain && attributes.nicename
          ? [attributes.nicename]
          : [],
      ),
    ),
  ];

  #body(id: string, item: WxrElement, lose: Lose): HtmlText | undefined {
    const content = textIn(item, 'content:encoded');
    if (content === '') return undefined;
    if (content.length > limits.conversionCharacters) {
      lose('the body', `It is longer than ${String(limits.conversionCharacters)} characters.`);
      return undefined;
    }
    const { html, lost } = readWordPressHtml(content, (ids) =>
      (ids.length > 0 ? ids : (this.known.attached.get(id) ?? [])).flatMap((one) => {
        const picture = this.known.byId.get(one)?.read();
        if (picture === undefined) return [];
        return [
          {
            src: textIn(picture, 'wp:attachment_url'),
            alt: metaOf(picture).get('_wp_attachment_image_alt') ?? '',
          },
        ];
      }),
    );
    for (const [what, why] of lost) lose(what, why);
    return new HtmlText(html, {
      assetOf: this.known.assetOf,
      entryOf: this.known.entryOf,
    });
  }
}

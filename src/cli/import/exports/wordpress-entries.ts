import { limits } from '../../../../contracts/limits.js';
import { EntrySlug } from '../../../../contracts/primitives.js';
import { htmlToRichText } from '../../../content/rich-text/html/html-to-rich-text.js';
import { toText } from '../../../content/rich-text/to-html.js';
import { AssetLink, EntryLink, HtmlText, type Losses, type SourceEntry } from './export-source.js';
import { textIn, type WxrElement } from './wordpress-file.js';
import { readWordPressHtml } from './wordpress-html.js';

const EDIT = 'Edit the entry after the import.';

/** Plain words of HTML. */
export const plainOf = (html: string): string => (html === '' ? '' : toText(htmlToRichText(html)).trim());

export const typeOf = (item: WxrElement): string => textIn(item, 'wp:post_type');

/** What the items of an export say of each other. */
interface WordPressItems {
  readonly locale: string;
  readonly items: readonly WxrElement[];
  readonly byId: ReadonlyMap<string, WxrElement>;
  assetOf(src: string): string | undefined;
  entryOf(href: string): EntryLink | undefined;
}

export const metaOf = ({ children }: WxrElement): Map<string, string> =>
  new Map(
    children.flatMap(([name, meta]) =>
      name === 'wp:postmeta' ? [[textIn(meta, 'wp:meta_key'), textIn(meta, 'wp:meta_value')] as const] : [],
    ),
  );

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

/** Reads posts and pages. */
export class WordPressEntries {
  constructor(
    private readonly known: WordPressItems,
    private readonly losses: Losses,
  ) {}

  read(item: WxrElement): SourceEntry[] {
    const [type, id, status] = [typeOf(item), textIn(item, 'wp:post_id'), textIn(item, 'wp:status')];
    const where = `${type} ${id}`;
    if (this.known.byId.get(id) !== item || id === '') return [];
    const lose: Lose = (what, why, remedy = EDIT): void => {
      this.losses.add('entry', where, [what, why, remedy]);
    };
    if (status === 'trash' || status === 'auto-draft') {
      lose('the entry', `Its status is ${status}.`, 'Restore it before the export.');
      return [];
    }
    const hasPassword = textIn(item, 'wp:post_password') !== '';
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
        status === 'future' ? `Schedule it for ${timeOf(item, 'wp:post_date_gmt') ?? 'its time'}.` : EDIT,
      );
    const slug = EntrySlug.safeParse(decoded(textIn(item, 'wp:post_name'))).data;
    const createdAt = status === 'future' ? undefined : timeOf(item, 'wp:post_date_gmt');
    const parent = this.#parent(item, lose);
    return [
      {
        type,
        id,
        where,
        isPublished,
        address: textIn(item, 'link'),
        facts: {
          createdAt,
          updatedAt: timeOf(item, 'wp:post_modified_gmt') ?? createdAt,
          publishedAt: createdAt,
        },
        author: textIn(item, 'dc:creator') || undefined,
        ...(parent !== undefined && { parent }),
        versions: [{ locale: this.known.locale, slug, fields: this.#fields(item, lose) }],
      },
    ];
  }

  /** A page whose parents form a cycle is at the root. */
  #parent(item: WxrElement, lose: Lose): EntryLink | undefined {
    const parentId = textIn(item, 'wp:post_parent');
    if (parentId === '' || parentId === '0' || typeOf(item) !== 'page') return undefined;
    const seen = new Set([item]);
    for (
      let at = this.known.byId.get(parentId);
      at !== undefined;
      at = this.known.byId.get(textIn(at, 'wp:post_parent'))
    ) {
      if (seen.has(at)) {
        lose(`the parent ${parentId}`, 'Its parents form a cycle.');
        return undefined;
      }
      seen.add(at);
    }
    const parent = this.known.byId.get(parentId);
    if (parent !== undefined && typeOf(parent) === 'page') return new EntryLink('page', parentId);
    lose(`the parent ${parentId}`, 'The export has no such page.');
    return undefined;
  }

  #fields(item: WxrElement, lose: Lose): Map<string, unknown> {
    const fields = new Map<string, unknown>();
    const title = textIn(item, 'title');
    const plain = plainOf(title);
    if (/<[a-z]/i.test(title)) lose('the markup of the title', 'A title is plain.');
    if (plain.length > limits.textLength)
      lose('the end of the title', `It is longer than ${String(limits.textLength)} characters.`);
    if (plain !== '') fields.set('title', plain.slice(0, limits.textLength));
    const body = this.#body(item, lose);
    if (body !== undefined) fields.set('body', body);
    const excerpt = textIn(item, 'excerpt:encoded');
    if (excerpt !== '') fields.set('excerpt', excerpt);
    const thumbnail = metaOf(item).get('_thumbnail_id');
    if (thumbnail !== undefined) fields.set('image', new AssetLink(thumbnail));
    if (typeOf(item) !== 'post') return fields;
    for (const [domain, type, name] of [
      ['category', 'category', 'categories'],
      ['post_tag', 'tag', 'tags'],
    ] as const) {
      const links = this.#termsOf(item, domain).map((slug) => new EntryLink(type, slug));
      if (links.length > 0) fields.set(name, links);
    }
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

  #body(item: WxrElement, lose: Lose): HtmlText | undefined {
    const content = textIn(item, 'content:encoded');
    if (content === '') return undefined;
    if (content.length > limits.conversionCharacters) {
      lose('the body', `It is longer than ${String(limits.conversionCharacters)} characters.`);
      return undefined;
    }
    const id = textIn(item, 'wp:post_id');
    const attached = (): string[] =>
      this.known.items.flatMap((one) =>
        typeOf(one) === 'attachment' && textIn(one, 'wp:post_parent') === id
          ? [textIn(one, 'wp:post_id')]
          : [],
      );
    const { html, lost } = readWordPressHtml(content, (ids) =>
      (ids.length > 0 ? ids : attached()).flatMap((one) => {
        const picture = this.known.byId.get(one);
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

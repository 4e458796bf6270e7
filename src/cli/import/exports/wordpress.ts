import path from 'node:path';
import { limits } from '../../../../contracts/limits.js';
import { EntrySlug, LocaleCode } from '../../../../contracts/primitives.js';
import { findFile, inTurn } from './export-files.js';
import {
  EntryLink,
  Losses,
  type AssetTexts,
  type ExportSource,
  type SourceAsset,
  type SourceEntry,
} from './export-source.js';
import { readChannel, textIn, type WxrElement } from './wordpress-file.js';
import { decoded, metaOf, plainOf, typeOf, WordPressEntries } from './wordpress-entries.js';
import { sourceField as field, type SourceField, type SourceType } from './export-source.js';

const shared = [
  field('title', 'text', { localized: true }),
  field('body', 'richText', { localized: true }),
  field('excerpt', 'longText', { localized: true }),
  field('image', 'media', { name: 'Featured image' }),
];

const of = (...contentTypes: string[]): Partial<SourceField> => ({ settings: { contentTypes } });

const type = (id: string, name: string, fields: readonly SourceField[]): SourceType => ({
  id,
  apiName: id,
  name,
  description: '',
  displayField: fields[0]?.id ?? null,
  isPage: id === 'post' || id === 'page',
  isLocalized: true,
  fields,
});

const term = [
  field('name', 'text', { localized: true, required: true }),
  field('description', 'longText', { localized: true }),
];

/** Content types of every WordPress site. */
export const wordPressTypes: readonly SourceType[] = [
  type('category', 'Category', [...term, field('parent', 'reference', of('category'))]),
  type('tag', 'Tag', term),
  type('page', 'Page', shared),
  type('post', 'Post', [
    ...shared,
    field('categories', 'reference', { ...of('category'), isList: true }),
    field('tags', 'reference', { ...of('tag'), isList: true }),
    field('format', 'text'),
    field('isSticky', 'boolean', { name: 'Sticky' }),
  ]),
];

/** Meta values that are read. */
const knownMeta: ReadonlySet<string> = new Set(['_thumbnail_id', '_wp_attachment_image_alt', '_wp_old_slug']);
const contentTypes: ReadonlySet<string> = new Set(['post', 'page']);

/** Without scheme and the size that WordPress adds to names of pictures. */
const pictureKey = (address: string): string =>
  address
    .trim()
    .replace(/^https?:/, '')
    .replace(/[?#].*$/s, '')
    .replace(/-\d+x\d+(?=\.[A-Za-z0-9]+$)/, '');

const pageKey = (address: string): string =>
  address
    .trim()
    .replace(/^https?:/, '')
    .replace(/#.*$/s, '')
    .replace(/\/$/, '');

/** Reads the items of a WXR file. */
class WordPressExport {
  readonly losses = new Losses();
  readonly #items: readonly WxrElement[];
  readonly #byId = new Map<string, WxrElement>();
  readonly #pictures = new Map<string, string>();
  readonly #pages = new Map<string, EntryLink>();
  readonly #terms = new Map<string, WxrElement>();
  readonly #authors = new Map<string, string>();
  #locale = 'en';

  constructor(
    private readonly channel: readonly (readonly [string, WxrElement])[],
    private readonly folder: string,
  ) {
    this.#items = channel.flatMap(([name, element]) => (name === 'item' ? [element] : []));
  }

  async read(): Promise<ExportSource> {
    this.#readChannel();
    for (const [index, item] of this.#items.entries()) this.#index(item, index);
    const items = [...this.#byId.values()];
    const attachments = items.filter((item) => typeOf(item) === 'attachment');
    const entries = items.filter((item) => contentTypes.has(typeOf(item)));
    const reader = new WordPressEntries(
      {
        locale: this.#locale,
        items: this.#items,
        byId: this.#byId,
        assetOf: (src) => this.#pictures.get(pictureKey(src)),
        entryOf: (href) => this.#pages.get(pageKey(href)),
      },
      this.losses,
    );
    const read = entries.flatMap((item) => reader.read(item));
    return {
      system: 'wordpress',
      locales: [{ code: this.#locale, name: this.#locale, fallback: null }],
      types: wordPressTypes,
      assets: await inTurn(attachments, (item) => this.#asset(item)),
      entries: [...[...this.#terms].map(([key, term]) => this.#term(key, term)), ...read],
      authors: this.#authors,
      losses: this.losses,
    };
  }

  #readChannel(): void {
    for (const [name, element] of this.channel) {
      if (name === 'language') {
        const parsed = LocaleCode.safeParse(element.text.trim().replace('_', '-'));
        if (parsed.success) this.#locale = parsed.data;
      } else if (name === 'wp:author') {
        const login = textIn(element, 'wp:author_login');
        this.#authors.set(login, textIn(element, 'wp:author_display_name') || login);
      } else if (name === 'wp:category')
        this.#addTerm('category', textIn(element, 'wp:category_nicename'), element);
      else if (name === 'wp:tag') this.#addTerm('tag', textIn(element, 'wp:tag_slug'), element);
      else if (name === 'wp:term') this.#addOtherTerm(element);
    }
    for (const { children } of this.#items)
      for (const [name, element] of children) {
        const { domain = '', nicename = '' } = element.attributes;
        const type = domain === 'post_tag' ? 'tag' : domain === 'category' ? 'category' : undefined;
        if (name === 'category' && type !== undefined && !this.#terms.has(JSON.stringify([type, nicename])))
          this.#addTerm(type, nicename, element);
      }
  }

  #addTerm(type: string, slug: string, element: WxrElement): void {
    if (slug !== '' && slug.length <= limits.externalIdLength)
      this.#terms.set(JSON.stringify([type, slug]), element);
    else
      this.losses.add('entry', `${type} ${textIn(element, 'wp:cat_name')}`, [
        'the item',
        'It has no usable slug.',
        'Create it after the import.',
      ]);
  }

  #addOtherTerm(term: WxrElement): void {
    const [taxonomy, slug] = [textIn(term, 'wp:term_taxonomy'), textIn(term, 'wp:term_slug')];
    if (taxonomy === 'category' || taxonomy === 'post_tag') {
      const type = taxonomy === 'category' ? 'category' : 'tag';
      if (!this.#terms.has(JSON.stringify([type, slug]))) this.#addTerm(type, slug, term);
    } else
      this.losses.add('other', `term ${taxonomy} ${slug}`, [
        'the term',
        'Categories and tags are imported alone.',
        'Create a content type for it.',
      ]);
  }

  /** Makes an item known to the others, and reports what is not content. */
  #index(item: WxrElement, index: number): void {
    const [type, id] = [typeOf(item), textIn(item, 'wp:post_id')];
    const where = `${type} ${id}`;
    if (type !== 'attachment' && !contentTypes.has(type)) {
      const remedy =
        type === 'nav_menu_item' ? 'Order the pages in the tree.' : 'Create a content type for it.';
      const place = `items[${String(index)}] ${where}`;
      const why = `Items of the type ${type || 'none'} are not imported.`;
      this.losses.add('other', place, ['the item', why, remedy]);
      return;
    }
    if (id === '' || this.#byId.has(id)) {
      const reason = [
        'the item',
        'It has no id, or that of an earlier one.',
        'Export the site again.',
      ] as const;
      this.losses.add('entry', `items[${String(index)}] ${where}`, reason);
      return;
    }
    this.#byId.set(id, item);
    if (type === 'attachment') this.#pictures.set(pictureKey(textIn(item, 'wp:attachment_url')), id);
    else this.#pages.set(pageKey(textIn(item, 'link')), new EntryLink(type, id));
    for (const [name, child] of item.children)
      if (name === 'wp:comment')
        this.losses.add('other', `${where} / comment ${textIn(child, 'wp:comment_id')}`, [
          'the comment',
          'Comments of readers are not imported.',
          'Keep them in another system.',
        ]);
    for (const key of metaOf(item).keys())
      if (!knownMeta.has(key))
        this.losses.add('other', `${where} / ${key.slice(0, 200)}`, [
          'the meta value',
          'Plug-ins and WordPress itself use it.',
          'Add a field for it.',
        ]);
  }

  async #asset(item: WxrElement): Promise<SourceAsset> {
    const id = textIn(item, 'wp:post_id');
    const where = `attachment ${id}`;
    const address = textIn(item, 'wp:attachment_url');
    const file = address === '' ? undefined : await findFile(this.folder, address);
    if (file === undefined)
      this.losses.add('asset', where, [
        `the file ${address}`,
        'It is not beside the export.',
        'Put it there, in folders by host and path, or upload it.',
      ]);
    const altText = metaOf(item).get('_wp_attachment_image_alt') ?? '';
    const [content, excerpt] = [
      plainOf(textIn(item, 'content:encoded')),
      plainOf(textIn(item, 'excerpt:encoded')),
    ];
    if (content !== '' && excerpt !== '')
      this.losses.add('asset', where, [
        'the caption',
        'The description is kept.',
        'Write it into the description.',
      ]);
    const description = (content || excerpt).slice(0, limits.mediaDescriptionLength);
    const title = plainOf(textIn(item, 'title')).slice(0, limits.mediaTitleLength);
    const texts: AssetTexts = {
      ...(title && { title }),
      ...(description && { description }),
      ...(altText && { altText: altText.slice(0, limits.mediaAltTextLength) }),
    };
    const isTold = Object.keys(texts).length > 0;
    const fileName = decoded(path.posix.basename(address)).slice(0, limits.mediaFileNameLength) || 'file';
    return {
      id,
      where,
      address,
      file,
      fileName,
      isPrivate: false,
      tags: [],
      texts: new Map(isTold ? [[this.#locale, texts]] : []),
    };
  }

  #term(key: string, term: WxrElement): SourceEntry {
    const [type, slug] = JSON.parse(key) as [string, string];
    const first = (...names: string[]): string =>
      names.map((name) => textIn(term, name)).find((text) => text !== '') ?? '';
    const name = first('wp:cat_name', 'wp:tag_name', 'wp:term_name') || term.text.trim() || slug;
    const parent = first('wp:category_parent', 'wp:term_parent');
    const description = first('wp:category_description', 'wp:tag_description', 'wp:term_description');
    const fields = new Map<string, unknown>([['name', plainOf(name).slice(0, limits.textLength)]]);
    if (description !== '') fields.set('description', description);
    if (type === 'category' && this.#terms.has(JSON.stringify([type, parent])))
      fields.set('parent', new EntryLink(type, parent));
    return {
      type,
      id: slug,
      where: `${type} ${slug}`,
      isPublished: true,
      facts: {},
      author: undefined,
      versions: [{ locale: this.#locale, slug: EntrySlug.safeParse(decoded(slug)).data, fields }],
    };
  }
}

/**
 * @param file WXR, as the export of WordPress writes it; files are beside it, by host and path
 * @throws Error in one line for people
 */
export async function readWordPress(file: string): Promise<ExportSource> {
  return new WordPressExport(await readChannel(file), path.dirname(path.resolve(file))).read();
}

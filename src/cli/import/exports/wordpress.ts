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
import {
  itemOf,
  metaOf,
  readChannel,
  textIn,
  type WxrChannel,
  type WxrElement,
  type WxrItem,
} from './wordpress-file.js';
import { decoded, plainOf, WordPressEntries } from './wordpress-entries.js';
import { isCustomTaxonomy, isCustomType, WordPressTypes, type PostShape } from './wordpress-types.js';

/** Meta values that are read. */
const knownMeta: ReadonlySet<string> = new Set(['_thumbnail_id', '_wp_attachment_image_alt', '_wp_old_slug']);
const isContent = (type: string): boolean => type === 'post' || type === 'page' || isCustomType(type);

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
  readonly #byId = new Map<string, WxrItem>();
  readonly #attached = new Map<string, string[]>();
  readonly #pictures = new Map<string, string>();
  readonly #pages = new Map<string, EntryLink>();
  /** By taxonomy and slug. */
  readonly #terms = new Map<string, WxrElement>();
  readonly #types: WordPressTypes;
  readonly #authors = new Map<string, string>();
  #locale = 'en';

  constructor(
    private readonly channel: WxrChannel,
    private readonly folder: string,
  ) {
    this.#types = new WordPressTypes(this.#byId, this.losses);
  }

  async read(): Promise<ExportSource> {
    this.#readChannel();
    for (const [index, place] of this.channel.items.entries()) {
      const { element, ...item } = itemOf(this.channel, place);
      this.#addTerms(element);
      this.#index(item, element, index);
    }
    const items = [...this.#byId.values()];
    const attachments = items.filter(({ type }) => type === 'attachment');
    const taxonomies = [...this.#terms.keys()].map((key) => (JSON.parse(key) as [string, string])[0]);
    const { types, shapes } = this.#types.read([...new Set(taxonomies)].filter(isCustomTaxonomy));
    const reader = new WordPressEntries(
      {
        locale: this.#locale,
        byId: this.#byId,
        attached: this.#attached,
        assetOf: (src) => this.#pictures.get(pictureKey(src)),
        entryOf: (href) => this.#pages.get(pageKey(href)),
        shapes,
        termType: (taxonomy) => this.#types.termType(taxonomy),
      },
      this.losses,
    );
    const entries = items.flatMap((item) => {
      if (!isContent(item.type)) return [];
      const element = item.read();
      this.#loseMeta(item, element, shapes.get(item.type));
      return reader.read(item, element);
    });
    return {
      system: 'wordpress',
      locales: [{ code: this.#locale, name: this.#locale, fallback: null }],
      types,
      assets: await inTurn(attachments, (item) => this.#asset(item)),
      entries: [...[...this.#terms].map(([key, term]) => this.#term(key, term)), ...entries],
      authors: this.#authors,
      losses: this.losses,
    };
  }

  #readChannel(): void {
    for (const [name, element] of this.channel.others) {
      if (name === 'language') {
        const parsed = LocaleCode.safeParse(element.text.trim().replace('_', '-'));
        if (parsed.success) this.#locale = parsed.data;
      } else if (name === 'wp:author') {
        const login = textIn(element, 'wp:author_login');
        this.#authors.set(login, textIn(element, 'wp:author_display_name') || login);
      } else if (name === 'wp:category')
        this.#addTerm('category', textIn(element, 'wp:category_nicename'), element);
      else if (name === 'wp:tag') this.#addTerm('post_tag', textIn(element, 'wp:tag_slug'), element);
      else if (name === 'wp:term') this.#addOtherTerm(element);
    }
  }

  /** Terms of an item that the channel does not name. */
  #addTerms({ children }: WxrElement): void {
    for (const [name, element] of children) {
      const { domain = '', nicename = '' } = element.attributes;
      const isTerm = domain === 'category' || domain === 'post_tag' || isCustomTaxonomy(domain);
      if (name === 'category' && isTerm && !this.#terms.has(JSON.stringify([domain, nicename])))
        this.#addTerm(domain, nicename, element);
    }
  }

  #addTerm(taxonomy: string, slug: string, element: WxrElement): void {
    if (slug !== '' && slug.length <= limits.externalIdLength)
      this.#terms.set(JSON.stringify([taxonomy, slug]), element);
    else
      this.losses.add('entry', `${taxonomy} ${textIn(element, 'wp:cat_name')}`, [
        'the item',
        'It has no usable slug.',
        'Create it after the import.',
      ]);
  }

  #addOtherTerm(term: WxrElement): void {
    const [taxonomy, slug] = [textIn(term, 'wp:term_taxonomy'), textIn(term, 'wp:term_slug')];
    if (taxonomy === 'category' || taxonomy === 'post_tag' || isCustomTaxonomy(taxonomy)) {
      if (!this.#terms.has(JSON.stringify([taxonomy, slug]))) this.#addTerm(taxonomy, slug, term);
    } else
      this.losses.add('other', `term ${taxonomy} ${slug}`, [
        'the term',
        'WordPress keeps menus, formats and themes with it.',
        'Create a content type for it.',
      ]);
  }

  /** Makes an item known to the others, and reports what is not content. */
  #index(item: WxrItem, element: WxrElement, index: number): void {
    const { type, id } = item;
    const where = `${type} ${id}`;
    if (type !== 'attachment' && !isContent(type)) {
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
    if (type === 'attachment') {
      this.#pictures.set(pictureKey(textIn(element, 'wp:attachment_url')), id);
      const others = this.#attached.get(item.parentId) ?? [];
      this.#attached.set(item.parentId, others);
      others.push(id);
      this.#loseMeta(item, element, undefined);
    } else {
      this.#types.add(item, element);
      if (item.link !== '') this.#pages.set(pageKey(item.link), new EntryLink(type, id));
    }
    for (const [name, child] of element.children)
      if (name === 'wp:comment')
        this.losses.add('other', `${where} / comment ${textIn(child, 'wp:comment_id')}`, [
          'the comment',
          'Comments of readers are not imported.',
          'Keep them in another system.',
        ]);
  }

  #loseMeta({ type, id }: WxrItem, element: WxrElement, shape: PostShape | undefined): void {
    const fields = new Set(shape?.metas.map(({ key }) => key));
    for (const key of metaOf(element).keys())
      if (!knownMeta.has(key) && !fields.has(key))
        this.losses.add('other', `${type} ${id} / ${key.slice(0, 200)}`, [
          'the meta value',
          'Plug-ins and WordPress itself use it.',
          'Add a field for it.',
        ]);
  }

  async #asset({ id, read }: WxrItem): Promise<SourceAsset> {
    const item = read();
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
    const [taxonomy, slug] = JSON.parse(key) as [string, string];
    const type = this.#types.termType(taxonomy) ?? taxonomy;
    const first = (...names: string[]): string =>
      names.map((name) => textIn(term, name)).find((text) => text !== '') ?? '';
    const name = first('wp:cat_name', 'wp:tag_name', 'wp:term_name') || term.text.trim() || slug;
    const parent = first('wp:category_parent', 'wp:term_parent');
    const description = first('wp:category_description', 'wp:tag_description', 'wp:term_description');
    const fields = new Map<string, unknown>([['name', plainOf(name).slice(0, limits.textLength)]]);
    if (description !== '') fields.set('description', description);
    if (taxonomy !== 'post_tag' && this.#terms.has(JSON.stringify([taxonomy, parent])))
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
  const channel = await readChannel(file);
  const remove = (): Promise<void> => channel.remove();
  try {
    return { ...(await new WordPressExport(channel, path.dirname(path.resolve(file))).read()), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

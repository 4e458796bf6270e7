import { limits } from '../../../../contracts/limits.js';
import {
  ApiNames,
  sourceField as field,
  type Losses,
  type SourceField,
  type SourceType,
} from './export-source.js';
import { ColumnTally } from './table-columns.js';
import { metaOf, metaValues, type WxrElement, type WxrItem } from './wordpress-file.js';

/** Types of posts with which WordPress and plug-ins keep settings, menus and parts of themes. */
const systemTypes =
  /^(?:nav_menu_item|revision|customize_changeset|custom_css|oembed_cache|user_request|wp_.+|acf-.+)$/;
const systemTaxonomies = /^(?:nav_menu|post_format|link_category|wp_.+)$/;
/** Meta values of WordPress itself, and those that are read elsewhere. */
const systemMeta = /^_(?:edit_|wp_|oembed_|menu_item_|encloseme$|pingme$|thumbnail_id$)/;
const ACF_KEY = /^field_[\da-z]+$/;
/** Of an array or object of PHP. */
const SERIALIZED = /^(?:a|O):\d+:/;

/** Whether its items are entries of a type of the site. */
export const isCustomType = (type: string): boolean =>
  /^[a-z\d_-]{1,100}$/.test(type) &&
  !['post', 'page', 'attachment'].includes(type) &&
  !systemTypes.test(type);

export const isCustomTaxonomy = (taxonomy: string): boolean =>
  /^[\w-]{1,100}$/.test(taxonomy) &&
  !['category', 'post_tag'].includes(taxonomy) &&
  !systemTaxonomies.test(taxonomy);

export interface MetaField {
  readonly key: string;
  readonly source: SourceField;
}

/** What entries of a type have beside title, body, excerpt and picture. */
export interface PostShape {
  readonly isPage: boolean;
  /** Fields of references by taxonomy. */
  readonly taxonomies: ReadonlyMap<string, string>;
  readonly metas: readonly MetaField[];
  /** Whether entries refer to a parent that is none in the tree. */
  readonly hasParentField: boolean;
}

export interface WordPressModel {
  readonly types: readonly SourceType[];
  readonly shapes: ReadonlyMap<string, PostShape>;
}

const shared = [
  field('title', 'text', { localized: true }),
  field('body', 'richText', { localized: true }),
  field('excerpt', 'longText', { localized: true }),
  field('image', 'media', { name: 'Featured image' }),
];
const postFields = [field('format', 'text'), field('isSticky', 'boolean', { name: 'Sticky' })];
const term = [
  field('name', 'text', { localized: true, required: true }),
  field('description', 'longText', { localized: true }),
];

const isWebAddress = (link: string): boolean => link !== '' && !/[?&](?:post_type|p)=/.test(link);

/** What the items of a type have. */
interface TypeTally {
  readonly taxonomies: Set<string>;
  readonly metas: Map<string, MetaTally>;
  /** Ids of the items above them. */
  readonly parents: Set<string>;
  hasAddress: boolean;
}

const noItems = (): TypeTally => ({
  taxonomies: new Set(),
  metas: new Map(),
  parents: new Set(),
  hasAddress: false,
});

/** Reads the content types of a site: those of WordPress, and what items and terms of others have. */
export class WordPressTypes {
  readonly #names = new ApiNames('type');
  /** Ids of types by taxonomy. */
  readonly #terms = new Map<string, string>([
    ['category', 'category'],
    ['post_tag', 'tag'],
  ]);

  readonly #tallies = new Map<string, TypeTally>([
    ['page', noItems()],
    ['post', noItems()],
  ]);

  constructor(
    private readonly items: ReadonlyMap<string, WxrItem>,
    private readonly losses: Losses,
  ) {}

  /** Counts an item that is no file. */
  add({ type, parentId, link }: WxrItem, element: WxrElement): void {
    const tally = this.#tallies.get(type) ?? noItems();
    this.#tallies.set(type, tally);
    tally.hasAddress ||= isWebAddress(link);
    for (const [name, { attributes }] of element.children)
      if (name === 'category') tally.taxonomies.add(attributes.domain ?? '');
    if (!isCustomType(type)) return;
    tally.parents.add(parentId);
    addMetaValues(tally.metas, element);
  }

  /** @param taxonomies other than categories and tags */
  read(taxonomies: readonly string[]): WordPressModel {
    for (const one of taxonomies)
      this.#terms.set(one, this.#tallies.has(one) || one === 'tag' ? `${one} (terms)` : one);
    const termTypes = [...this.#terms].map(([taxonomy, id]) => {
      const parent =
        taxonomy === 'post_tag' ? [] : [field('parent', 'reference', { settings: { contentTypes: [id] } })];
      return this.#type(id, [...term, ...parent], false);
    });
    const shapes = new Map<string, PostShape>();
    const postTypes = [...this.#tallies].map(([id, tally]) => {
      const { shape, fields } = this.#shapeOf(id, tally);
      shapes.set(id, shape);
      return this.#type(id, fields, shape.isPage);
    });
    return { types: [...termTypes, ...postTypes], shapes };
  }

  /** Id of the type of its terms. */
  termType(taxonomy: string): string | undefined {
    return this.#terms.get(taxonomy);
  }

  #type(id: string, fields: readonly SourceField[], isPage: boolean): SourceType {
    const name = id.slice(0, 1).toUpperCase() + id.slice(1);
    return {
      id,
      apiName: this.#names.nameFor(id),
      name: name.slice(0, limits.nameLength),
      description: '',
      displayField: fields[0]?.id ?? null,
      isPage,
      isLocalized: true,
      fields,
    };
  }

  #shapeOf(id: string, tally: TypeTally): { shape: PostShape; fields: readonly SourceField[] } {
    const isCustom = isCustomType(id);
    const used = new Set(tally.taxonomies);
    if (id === 'post') for (const one of ['category', 'post_tag']) used.add(one);
    const names = new ApiNames('field');
    for (const { id: taken } of [...shared, ...postFields]) names.nameFor(taken);
    const taxonomies = new Map<string, string>();
    const links = [...this.#terms].flatMap(([taxonomy, type]): SourceField[] => {
      if (!used.has(taxonomy)) return [];
      const known = { category: 'categories', post_tag: 'tags' }[taxonomy];
      const own = known ?? `term ${taxonomy}`;
      taxonomies.set(taxonomy, own);
      const settings = { contentTypes: [type] };
      const apiName = names.nameFor(known ?? taxonomy);
      return [field(own, 'reference', { apiName, name: known ?? taxonomy, settings, isList: true })];
    });
    const isPage = !isCustom || tally.hasAddress;
    const hasParentField = [...tally.parents].some((parentId) => {
      const type = this.items.get(parentId)?.type;
      return type !== undefined && type !== 'attachment' && (!isPage || type !== id);
    });
    const parent = hasParentField
      ? [field('(parent)', 'reference', { apiName: names.nameFor('parent'), name: 'Parent' })]
      : [];
    const own = [...shared, ...(id === 'post' ? postFields : []), ...links, ...parent];
    const metas = isCustom
      ? this.#metas(id, tally.metas, { names, most: limits.fieldsPerContentType - own.length })
      : [];
    return {
      shape: { isPage, taxonomies, metas, hasParentField },
      fields: [...own, ...metas.map(({ source }) => source)],
    };
  }

  /** Fields for the values that plug-ins keep beside items. */
  #metas(
    type: string,
    found: ReadonlyMap<string, MetaTally>,
    { names, most }: { names: ApiNames; most: number },
  ): MetaField[] {
    const lose = (key: string, reason: readonly [string, string, string]): void => {
      this.losses.add('field', `${type}.${key.slice(0, 200)}`, reason);
    };
    const kept = [...found].filter(([key, { isInternal }]) => {
      if (isInternal) lose(key, ['the meta value', 'It is empty, or names a field of a plug-in.', 'None.']);
      return !isInternal;
    });
    for (const [key] of kept.slice(most))
      lose(key, [
        'the meta value',
        `A content type has at most ${String(limits.fieldsPerContentType)} fields.`,
        'Split the type before the export.',
      ]);
    return kept.slice(0, most).map(([key, { tally, isList, isSerialized }]) => {
      if (isSerialized)
        lose(key, [
          'the structure',
          'PHP has serialized it. It is kept as plain text.',
          'Model it as blocks.',
        ]);
      const { kind: guessed } = tally.guess(() => false, '');
      const isPlain = [
        'boolean',
        'integer',
        'number',
        'date',
        'dateTime',
        'url',
        'email',
        'longText',
      ].includes(guessed);
      const kind = isSerialized ? 'longText' : isPlain ? guessed : 'text';
      const source = field(`meta ${key}`, kind, {
        apiName: names.nameFor(key),
        name: key.slice(0, limits.nameLength),
        isList: isList && kind !== 'longText',
      });
      return { key, source };
    });
  }
}

interface MetaTally {
  readonly tally: ColumnTally;
  readonly isList: boolean;
  /** Whether PHP has serialized a value. */
  readonly isSerialized: boolean;
  /** Whether it has no value but names of fields of a plug-in. */
  readonly isInternal: boolean;
}

function addMetaValues(found: Map<string, MetaTally>, item: WxrElement): void {
  for (const key of metaOf(item).keys()) {
    if (systemMeta.test(key)) continue;
    const values = metaValues(item, key);
    const { tally, isList, isSerialized, isInternal } = found.get(key) ?? {
      tally: new ColumnTally(key),
      isList: false,
      isSerialized: false,
      isInternal: key.startsWith('_'),
    };
    for (const value of values) tally.add(value);
    found.set(key, {
      tally,
      isList: isList || values.length > 1,
      isSerialized: isSerialized || values.some((value) => SERIALIZED.test(value)),
      isInternal: isInternal && values.every((value) => value === '' || ACF_KEY.test(value)),
    });
  }
}

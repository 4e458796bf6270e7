import { noSearchSettings } from '../../src/content/search/boosts.js';
import type { FieldKind } from '../../contracts/content/fields/field-kinds.js';
import {
  Catalog,
  type CatalogData,
  type ContentTypeDefinition,
  type FieldDefinition,
} from '../../src/content/catalog.js';
import type { DocumentSource, StoredDocument } from '../../src/features/publishing/delivery/index.js';

type DocumentQuery = Parameters<DocumentSource['list']>[0];
type SlugQuery = Parameters<DocumentSource['bySlug']>[0];

export const id = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

export function field(
  apiName: string,
  type: FieldKind,
  rest: Partial<FieldDefinition> = {},
): FieldDefinition {
  return {
    id: `field-${apiName}`,
    apiName,
    name: apiName,
    type,
    description: null,
    required: false,
    localized: false,
    unique: false,
    isList: type === 'blocks',
    defaultValue: null,
    position: 0,
    group: null,
    hidden: false,
    deprecated: false,
    settings: {},
    validations: {},
    ...rest,
  };
}

export function contentType(apiName: string, fields: FieldDefinition[] = []): ContentTypeDefinition {
  return {
    id: `type-${apiName}`,
    apiName,
    name: apiName,
    description: null,
    displayField: null,
    isPage: false,
    isBlock: false,
    isSingleton: false,
    isLocalized: true,
    fieldFallback: false,
    slugPattern: null,
    workflowSlug: null,
    fields,
  };
}

const links = (...contentTypes: string[]): Partial<FieldDefinition> => ({ settings: { contentTypes } });

/** Content types that together have every field kind. */
export const sampleTypes: readonly ContentTypeDefinition[] = [
  contentType('blog_post', [
    field('title', 'text'),
    field('summary', 'longText', { deprecated: true }),
    field('body', 'richText'),
    field('path', 'slug'),
    field('views', 'integer'),
    field('price', 'number'),
    field('isFeatured', 'boolean'),
    field('day', 'date'),
    field('startsAt', 'dateTime'),
    field('mood', 'select'),
    field('tags', 'text', { isList: true }),
    field('link', 'url'),
    field('contact', 'email'),
    field('meta', 'json'),
    field('author', 'reference', links('author')),
    field('categories', 'reference', { isList: true, ...links('category') }),
    field('related', 'reference'),
    field('subject', 'reference', links('blog_post', 'author')),
    field('sections', 'blocks', links('quote', 'hero', 'gone')),
    field('ghost', 'reference', links('gone')),
  ]),
  contentType('author', [
    field('name', 'text'),
    field('friend', 'reference', links('author')),
    field('friends', 'reference', { isList: true, ...links('author') }),
  ]),
  contentType('category', [field('name', 'text')]),
  contentType('hero', [field('heading', 'text')]),
  contentType('quote', [field('words', 'text')]),
  contentType('bare'),
];

const locale = (code: string, fallbackCode: string | null = null, isActive = true) => ({
  code,
  name: code,
  isDefault: code === 'en',
  fallbackCode,
  isActive,
});

const noAddress = {
  baseUrl: null,
  domain: null,
  localePathStrategy: 'none' as const,
  allowedTargets: null,
  requiredLocales: [],
  homeEntryId: null,
  isActive: true,
};

/** Tenant locales en (default), de (falls back to en), fr and it (inactive); sites main (en) and other (fr). */
export function catalogOf(
  contentTypes: readonly ContentTypeDefinition[] = sampleTypes,
  rest: Partial<CatalogData> = {},
): Catalog {
  return new Catalog({
    revision: '1',
    tenant: { id: 'tenant-1', slug: 'tenant', isActive: true, dataRegion: null },
    project: { id: 'project-1', slug: 'demo', name: 'Demo' },
    environment: { id: 'environment-1', slug: 'main', isProtected: false },
    addressRules: { isEnabled: false, appliesTo: [], networks: [] },
    locales: [locale('en'), locale('de', 'en'), locale('fr'), locale('it', null, false)],
    sites: [
      {
        id: 'site-main',
        slug: 'main',
        name: 'Main',
        defaultLocale: 'en',
        locales: ['en', 'de'],
        ...noAddress,
      },
      {
        id: 'site-other',
        slug: 'other',
        name: 'Other',
        defaultLocale: 'fr',
        locales: ['fr', 'en'],
        ...noAddress,
      },
    ],
    contentTypes,
    customFieldTypes: [],
    workflows: [],
    searchSettings: noSearchSettings,
    ...rest,
  });
}

/** A stored document; `number` determines its id and timestamps. */
export function document(
  number: number,
  apiName: string,
  rest: Partial<StoredDocument> = {},
): StoredDocument {
  const at = new Date(Date.UTC(2026, 0, 1, 0, 0, number));
  return {
    id: id(number),
    contentTypeId: `type-${apiName}`,
    siteId: 'site-main',
    slug: `${apiName}-${number}`,
    locale: 'en',
    fields: {},
    publishedAt: at,
    updatedAt: at,
    ...rest,
  };
}

export const link = (number: number, type = 'author') => ({ _ref: id(number), _type: type });

/** Documents in memory. Records calls; when `fail` is set, every call rejects with it. */
export class FakeSource implements DocumentSource {
  readonly calls: { method: string; ids?: readonly string[]; locales: readonly string[] }[] = [];
  fail: Error | undefined;

  constructor(
    public documents: readonly StoredDocument[] = [],
    readonly isPreview = false,
  ) {}

  byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]> {
    return this.#answer({ method: 'byIds', ids, locales }, () =>
      ids.flatMap((wanted) => this.#best(locales, (one) => one.id === wanted)),
    );
  }

  bySlug({ slug, siteId, locales }: SlugQuery): Promise<StoredDocument | undefined> {
    return this.#answer(
      { method: 'bySlug', locales },
      () => this.#best(locales, (one) => one.slug === slug && one.siteId === siteId)[0],
    );
  }

  list(query: DocumentQuery): Promise<{ items: StoredDocument[]; total: number }> {
    const { locales, siteLocales, contentTypeId, siteId, limit, offset } = query;
    return this.#answer({ method: 'list', locales }, () => {
      const all = [...new Set(this.documents.map((one) => one.id))]
        .flatMap((wanted) => {
          const site = this.documents.find((one) => one.id === wanted)?.siteId ?? '';
          return this.#best(siteLocales?.[site] ?? locales, (one) => one.id === wanted);
        })
        .filter((one) => one.contentTypeId === contentTypeId && (siteId === null || one.siteId === siteId))
        .sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
      return { items: all.slice(offset, offset + limit), total: all.length };
    });
  }

  #best(locales: readonly string[], isWanted: (document: StoredDocument) => boolean): StoredDocument[] {
    const rank = (one: StoredDocument) => locales.indexOf(one.locale);
    return this.documents
      .filter((one) => isWanted(one) && locales.includes(one.locale))
      .sort((a, b) => rank(a) - rank(b))
      .slice(0, 1);
  }

  #answer<T>(call: (typeof this.calls)[number], answer: () => T): Promise<T> {
    this.calls.push(call);
    return this.fail === undefined ? Promise.resolve().then(answer) : Promise.reject(this.fail);
  }
}

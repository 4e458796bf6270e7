import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import type { BatchItem } from '../../../../../contracts/entries/entries/batch.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import { normalizeSlug } from '../../../../content/slug-field.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { localeOfNew } from '../access/entry-locale.js';
import { externalKey, ExternalIdRepository, type ExternalKey } from '../drafts/external-id.repository.js';
import { slugKey, TargetRepository, type SlugKey } from './target.repository.js';
import type { Creations } from '../drafts/external-links.js';
import type { NewItem, Placed, Refused } from './apply-single.js';

/** What an item calls its entry. */
type Reference =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'external'; readonly key: ExternalKey }
  | { readonly kind: 'slug'; readonly key: SlugKey }
  | { readonly kind: 'new' };

export interface ReferencedItem {
  readonly index: number;
  readonly item: BatchItem;
  /** Of the entry that it creates. */
  readonly newId: string;
  readonly reference: Reference;
}

/** Every item must name its entry. @throws AppError 422 `validation_failed` */
export function assertNamed(items: readonly BatchItem[]): void {
  const issues = items.flatMap((item, index) => {
    const refuse = (key: string, message: string) => [
      { path: ['items', index, key], code: 'required', message },
    ];
    if (item.action === 'create' || item.action === 'upsert') {
      if (item.publishedAt !== undefined && !item.publish)
        return refuse('publish', 'publishedAt requires publish: true.');
      if (item.action === 'create') return [];
      return item.externalId === undefined && item.slug === undefined
        ? refuse('externalId', 'upsert requires externalId or slug.')
        : [];
    }
    const { id, contentTypeApiName, externalId } = item;
    const isById = id !== undefined && externalId === undefined && contentTypeApiName === undefined;
    const isByExternalId = id === undefined && externalId !== undefined && contentTypeApiName !== undefined;
    if (isById || isByExternalId) return [];
    return refuse('id', `${item.action} requires either id, or contentTypeApiName and externalId.`);
  });
  if (issues.length > 0) throw invalidInput(...issues);
}

function typeNamed(catalog: Catalog, apiName: string): ContentTypeDefinition {
  const type = catalog.contentType(apiName);
  if (type === undefined) throw new AppError('content_type_not_found', { path: ['contentTypeApiName'] });
  return type;
}

function newReference(catalog: Catalog, item: NewItem): Reference {
  const type = typeNamed(catalog, item.contentTypeApiName);
  const { id: contentTypeId } = type;
  const { externalId, slug } = item;
  if (externalId !== undefined) return { kind: 'external', key: { contentTypeId, externalId } };
  if (item.action === 'create' || slug === undefined) return { kind: 'new' };
  const site = catalog.site(item.siteId.toLowerCase());
  if (site === undefined) throw new AppError('site_not_found', { path: ['siteId'] });
  const locale = localeOfNew(catalog, { type, site }, item.locale);
  return { kind: 'slug', key: { siteId: site.id, contentTypeId, locale, slug: normalizeSlug(slug) } };
}

function referenceOf(catalog: Catalog, item: BatchItem): Reference {
  if (item.action === 'create' || item.action === 'upsert') return newReference(catalog, item);
  const { id, contentTypeApiName = '', externalId = '' } = item;
  if (id !== undefined) return { kind: 'id', id: id.toLowerCase() };
  return { kind: 'external', key: { contentTypeId: typeNamed(catalog, contentTypeApiName).id, externalId } };
}

/** The entries that the items name. It learns those that earlier items create. */
export class Identities {
  readonly #external: Map<string, string>;
  readonly #slugs: Map<string, string[]>;
  /** As they were looked up. */
  readonly #holders: ReadonlyMap<string, readonly string[]>;

  private constructor(external: Map<string, string>, slugs: Map<string, string[]>) {
    this.#external = external;
    this.#slugs = slugs;
    this.#holders = new Map(slugs);
  }

  /** Units of work that name the same external ids or slugs take turns. */
  static async read(work: UnitOfWork, named: readonly ReferencedItem[]): Promise<Identities> {
    const references = named.map(({ reference }) => reference);
    const external = await work
      .use(ExternalIdRepository)
      .hold(references.flatMap((one) => (one.kind === 'external' ? [one.key] : [])));
    const slugs = await work
      .use(TargetRepository)
      .withSlugs(references.flatMap((one) => (one.kind === 'slug' ? [one.key] : [])));
    return new Identities(external, slugs);
  }

  /** As they were looked up. */
  copy(): Identities {
    return new Identities(new Map(this.#external), new Map(this.#slugs));
  }

  /** Gives ids to the entries that items create under these names. */
  reserve(named: readonly ReferencedItem[], names: ReadonlySet<string>): Creations {
    const ids = new Map<string, string>();
    const creators = new Map<string, number[]>();
    for (const { index, item, reference, newId } of named) {
      if (reference.kind !== 'external' || (item.action !== 'create' && item.action !== 'upsert')) continue;
      const key = externalKey(reference.key);
      if (!names.has(key) || this.#external.has(key)) continue;
      ids.set(key, ids.get(key) ?? newId);
      creators.set(key, [...(creators.get(key) ?? []), index]);
    }
    return { ids, creators };
  }

  /**
   * Retries the unit of work if a slug that was refused as taken names another entry than before.
   * @param own entries that the unit of work changed
   */
  async confirm(
    work: UnitOfWork,
    refused: readonly ReferencedItem[],
    own: ReadonlySet<string>,
  ): Promise<void> {
    const keys = refused.flatMap(({ reference }) => (reference.kind === 'slug' ? [reference.key] : []));
    await work.use(TargetRepository).assertHolders(this.#holders, keys, own);
  }

  /** Items with the same key change the same entry. */
  keyOf({ index, reference }: ReferencedItem): string {
    if (reference.kind === 'id') return reference.id;
    if (reference.kind === 'new') return String(index);
    if (reference.kind === 'external') {
      const key = externalKey(reference.key);
      return this.#external.get(key) ?? key;
    }
    const key = slugKey(reference.key);
    return this.#slugs.get(key)?.[0] ?? key;
  }

  /** @throws AppError 404 `entry_not_found`, 409 `external_id_conflict`, `slug_conflict` */
  place({ reference, ...one }: ReferencedItem): Placed {
    const { item } = one;
    if (reference.kind === 'id') return { ...one, entryId: reference.id };
    if (reference.kind === 'new') return { ...one, entryId: null };
    if (reference.kind === 'slug') {
      const [entryId = null, ...others] = this.#slugs.get(slugKey(reference.key)) ?? [];
      const { slug, locale } = reference.key;
      const message =
        'Several pages have this slug. Name the entry by its external id, or update it by its id.';
      if (others.length > 0) throw new AppError('slug_conflict', { slug, locale }, message);
      return { ...one, entryId };
    }
    const entryId = this.#external.get(externalKey(reference.key)) ?? null;
    const { externalId } = reference.key;
    if (item.action === 'create' && entryId !== null)
      throw new AppError('external_id_conflict', { externalId });
    if (item.action !== 'create' && item.action !== 'upsert' && entryId === null)
      throw new AppError('entry_not_found');
    return { ...one, entryId };
  }

  /** An item created its entry. */
  learn({ reference }: ReferencedItem, entryId: string): void {
    if (reference.kind === 'external') this.#external.set(externalKey(reference.key), entryId);
    if (reference.kind === 'slug') this.#slugs.set(slugKey(reference.key), [entryId]);
  }
}

/** Names items in their order; refuses those of unknown types, sites and locales. */
export function nameItems(
  work: UnitOfWork,
  catalog: Catalog,
  items: readonly BatchItem[],
): (ReferencedItem | Refused)[] {
  return items.map((item, index) => {
    try {
      return { index, item, newId: work.newId(), reference: referenceOf(catalog, item) };
    } catch (error) {
      if (error instanceof AppError) return { index, error };
      throw error;
    }
  });
}

/** Each wave has at most one item of an entry; items of the same entry keep their order. */
export function wavesOf(named: readonly ReferencedItem[], identities: Identities): ReferencedItem[][] {
  const waves: ReferencedItem[][] = [];
  const counts = new Map<string, number>();
  for (const one of named) {
    const key = identities.keyOf(one);
    const number = counts.get(key) ?? 0;
    counts.set(key, number + 1);
    (waves[number] ??= []).push(one);
  }
  return waves;
}

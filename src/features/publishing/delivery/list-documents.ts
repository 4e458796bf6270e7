import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type {
  Catalog,
  ContentTypeDefinition,
  SiteDefinition,
  FieldDefinition,
} from '../../../content/catalog.js';
import {
  type ListedPage,
  type ListWindow,
  openPage,
  cursorList,
  ListWalk,
} from '../../shared/cursor/list-page.js';
import { type Condition, assertFields, conditionsOf, isSystemKey } from './content-filter.js';
import { whereConditions, type FindTargets } from './where.js';
import { siteOf, type DeliveryRead, listNamed } from './delivery-read.js';
import type { DocumentQuery, StoredDocument } from './document.js';
import { everySiteIn, everySiteLocales, localesOf, type EverySiteLocales } from './locale-chains.js';
import { kindOf } from '../../../content/field-kinds/index.js';
import type { deliveryReads } from '../../../../contracts/publishing/delivery/delivery.contract.js';
import type { ListMeta } from '../../../../contracts/envelopes.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type {
  DeliveryEntry,
  EntryContent,
  ReadOrigin,
} from '../../../../contracts/publishing/delivery/content-entry.js';
import { sentEntries } from './write-entries.js';
import type { graphqlReads } from '../../../../contracts/publishing/delivery/graphql.contract.js';
import { presentContent } from './present-content.js';

/** Which entries to list; entries of all sites without a `siteSlug`. */
interface ListRequest extends ListWindow, Pick<DocumentQuery, 'orderBy'> {
  readonly contentTypeApiName: string;
  readonly siteSlug?: string | undefined;
  readonly locale?: string | undefined;
}

interface DocumentPage extends ListedPage<StoredDocument> {
  /** Fallback chain that the page was read along, or with `siteLocales` the locales of all chains. */
  readonly locales: readonly string[];
  readonly siteLocales: EverySiteLocales['siteLocales'];
}

function localesFor(
  catalog: Catalog,
  site: SiteDefinition | undefined,
  locale: string | undefined,
): EverySiteLocales {
  if (site !== undefined) return { locales: localesOf(catalog, site, locale) };
  return locale === undefined ? everySiteLocales(catalog) : everySiteIn(catalog, locale);
}

/**
 * Reads a page of the documents of one type.
 * @throws AppError 404 `site_not_found`, `locale_not_found`, `content_type_not_found`; whatever `conditionsOf` throws
 */
async function listDocuments(
  read: DeliveryRead,
  request: ListRequest,
  conditionsOf?: (type: ContentTypeDefinition, locales: readonly string[]) => Promise<readonly Condition[]>,
): Promise<DocumentPage> {
  const { catalog, source, trace } = read;
  const { contentTypeApiName, siteSlug, locale, orderBy, limit, offset, walk } = request;
  const site = siteSlug === undefined ? undefined : siteOf(read, siteSlug);
  const { locales, siteLocales } = localesFor(catalog, site, locale);
  const type = catalog.contentType(contentTypeApiName);
  if (type === undefined) throw new AppError('content_type_not_found');
  const conditions = (await conditionsOf?.(type, locales)) ?? [];
  trace.addType(type.apiName);
  const found = await source.list({
    contentTypeId: type.id,
    isForAll: !type.isLocalized,
    siteId: site?.id ?? null,
    locales,
    siteLocales,
    orderBy,
    limit,
    offset,
    walk,
    conditions,
  });
  return { ...found, locales, siteLocales };
}

/** System keys that select nothing in a list, with what does. */
const elsewhere: Readonly<Record<string, string>> = {
  _type: 'The path names the content type.',
  _siteId: 'The path names the site.',
  _locale: 'Use locale=.',
};

function spellingFor(name: string, field: FieldDefinition | undefined): string | undefined {
  const systemKey = name.startsWith('_') ? name : `_${name}`;
  if (field !== undefined) {
    const isComparable = kindOf(field).comparison !== null;
    return `Use filter[${name}][${isComparable ? 'eq' : 'exists'}]=.`;
  }
  if (isSystemKey(systemKey)) return `Use filter[${systemKey}][eq]=.`;
  return Object.hasOwn(elsewhere, systemKey) ? elsewhere[systemKey] : undefined;
}

/**
 * Refuses parameters that name a field or a system key: ignoring them would return everything (rule lists/filters).
 * @throws AppError 422 with the right spelling
 */
export function assertNoFieldParameters(type: ContentTypeDefinition, parameters: readonly string[]): void {
  const issues = parameters.flatMap((parameter) => {
    const name = /^[^[\].]*/.exec(parameter)?.[0] ?? '';
    const field = type.fields.find(({ apiName }) => apiName === name);
    const spelling = spellingFor(name, field);
    if (spelling === undefined) return [];
    return [
      {
        path: [parameter],
        code: 'unknown_parameter',
        message: `${parameter} is not a parameter. ${spelling}`,
      },
    ];
  });
  if (issues.length > 0) throw invalidInput(...issues);
}

/** Finds entries of every site, read along a chain of locales, as references to them are expanded. */
export const targetsIn =
  ({ source, trace }: DeliveryRead, locales: readonly string[]): FindTargets =>
  async (type, conditions, limit) => {
    trace.addType(type.apiName);
    const { items } = await source.list({
      contentTypeId: type.id,
      isForAll: !type.isLocalized,
      siteId: null,
      locales,
      orderBy: 'createdAt:asc',
      limit: limit + 1,
      offset: 0,
      conditions,
    });
    return items.map(({ id }) => id);
  };

/** Lists the entries of one type on a site, a page at a time (rule delivery/operations). */
export async function listDeliveryContent(
  read: DeliveryRead,
  input: InputOf<typeof deliveryReads.listContent>,
): Promise<{ data: DeliveryEntry[]; meta: ListMeta }> {
  const page = openPage(input, listNamed('content', read));
  const request = { ...input, ...page.window };
  const { locales, ...found } = await listDocuments(read, request, async (type, chain) => {
    if (read.unknownParameters !== undefined) assertNoFieldParameters(type, read.unknownParameters);
    assertFields([type], input.fields);
    const conditions = conditionsOf(type, input.filter);
    const place = { catalog: read.catalog, type: () => type };
    return [...conditions, ...(await whereConditions(input.where, place, targetsIn(read, chain)))];
  });
  const entries = await sentEntries(read, { request: input, locales }, found.items);
  return page.envelope({ ...found, items: entries });
}

interface CollectionMeta {
  readonly total: number;
  /** Items before the page. */
  readonly skip: number;
  readonly limit: number;
  readonly nextCursor?: string | null;
}

interface Collection {
  readonly data: EntryContent[];
  readonly meta: ReadOrigin & CollectionMeta;
}

type Input = InputOf<typeof graphqlReads.collection>;

/** @throws AppError 422 `validation_failed` for an invalid cursor, and for a cursor with `skip` */
function walkOf(read: DeliveryRead, { cursor, skip, ...input }: Input): ListWalk | undefined {
  if (cursor === undefined) return undefined;
  const message = 'A request has either skip or cursor.';
  if (skip !== 0) throw invalidInput({ path: ['skip'], code: 'skip_with_cursor', message });
  const { contentTypeApiName, siteSlug, locale } = input;
  const { name, scope } = listNamed('collection', read);
  return new ListWalk(cursorList(name, scope, { contentTypeApiName, siteSlug, locale }), cursor);
}

/**
 * Lists entries of a type, of one site or of all, the last updated first (rule graphql/endpoint).
 * @throws AppError 404 `site_not_found`, `locale_not_found`, `content_type_not_found`; 422 for an invalid cursor
 */
export async function readCollection(read: DeliveryRead, input: Input): Promise<Collection> {
  const { contentTypeApiName, siteSlug, locale, limit, skip } = input;
  const walk = walkOf(read, input);
  const found = await listDocuments(read, {
    contentTypeApiName,
    // An empty slug means all sites, as an absent one does.
    siteSlug: siteSlug === '' ? undefined : siteSlug,
    locale,
    orderBy: 'updatedAt:desc',
    limit,
    offset: skip,
    walk,
  });
  const { items, total, locales, siteLocales } = found;
  const origin = { isPreview: read.source.isPreview, locales, siteLocales };
  const page = walk === undefined ? { skip } : { skip: walk.passed, nextCursor: walk.nextCursor(found) };
  return {
    data: items.flatMap((document) => presentContent(document, read.catalog) ?? []),
    meta: { ...origin, total, limit, ...page },
  };
}

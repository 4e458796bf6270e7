import type { Catalog } from '../../../content/catalog.js';
import type { FieldValues } from '../../../content/model/field-definition.js';
import { composeValues } from '../../../content/blocks/stored-values.js';
import { deliverBlocks, deliverFields } from '../../../content/deliver-fields.js';
import { mayFallBack, showFallbacks } from '../../../content/field-fallback.js';
import { checkShapes } from '../../../content/validate-fields.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import {
  afterSql,
  orderSql,
  positionSql,
  walkedPage,
  type Keyset,
  type ListedPage,
  type Position,
} from '../../shared/cursor/list-page.js';
import { readableEntries } from '../../shared/readable-entries.js';
import { RenameRepository } from '../../environments/renames/index.js';
import {
  chainPositions,
  type DocumentQuery,
  type DocumentSource,
  type SlugQuery,
  type StoredDocument,
} from './document.js';
import { inChain, inSiteChain, shownFieldsSql, type LocaleTypes } from './draft-fallback-sql.js';
import { filterSql, valueIn, type FilteredRow } from './filter-sql.js';
import { chainIn } from './list-scope.js';
import { ownDocuments, ownersOf, withBlocks, type OwnedBlock } from './own-documents.js';

interface DraftRow extends Omit<StoredDocument, 'fields' | 'ownBlocks' | 'ownerId'> {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly sharedFields: Readonly<Record<string, unknown>>;
}

/** @param forAll placeholder of the types whose shown draft serves every locale */
const fromSql = (
  forAll: string,
): string => `FROM entry_locales l JOIN entries e ON e.environment_id = l.environment_id AND e.id = l.entry_id
  WHERE l.environment_id = $1 AND NOT l.is_deleted
    AND (l.locale = ANY($2::text[]) OR (l.is_shown AND l.content_type_id = ANY(${forAll}::uuid[])))`;
const columns = `l.entry_id AS id, l.content_type_id AS "contentTypeId", l.site_id AS "siteId", l.slug, l.locale, l.fields,
  e.shared_fields AS "sharedFields", l.published_at AS "publishedAt", l.updated_at AS "updatedAt"`;
const bestOfChain = `NOT EXISTS (SELECT FROM entry_locales better WHERE better.environment_id = $1 AND better.entry_id = l.entry_id
  AND NOT better.is_deleted AND better.locale = ANY($2::text[]) AND array_position($2::text[], better.locale) < array_position($2::text[], l.locale))`;

/** As {@link bestOfChain}, along the chain of each entry's site: `$5` has the position of each locale by site. */
const bestOfSiteChain = `${inSiteChain('l.locale')} IS NOT NULL AND NOT EXISTS (SELECT FROM entry_locales better
  WHERE better.environment_id = $1 AND better.entry_id = l.entry_id AND ${inSiteChain('better.locale')} < ${inSiteChain('l.locale')})`;

/** Drafts of every locale, on sites that serve one. */
const sitesSql = ({ siteLocales }: DocumentQuery): string =>
  siteLocales === undefined ? 'cardinality($2::text[]) > 0' : `($5::jsonb -> l.site_id::text) <> '{}'`;

/** @param fields SQL of the localized values */
const filtered = (fields: string): FilteredRow => ({
  value: valueIn(`(${fields} || e.shared_fields)`),
  columns: { _slug: 'l.slug', _id: 'l.entry_id', _publishedAt: 'l.published_at' },
});

const keysetOf = ({ orderBy }: DocumentQuery): Keyset => ({
  keys: [
    { column: orderBy.startsWith('createdAt') ? 'e.created_at' : 'l.updated_at', type: 'time' },
    { column: 'l.entry_id', type: 'uuid' },
  ],
  isAscending: orderBy.endsWith('asc'),
});

/** Ids of the types whose entries have one document for every locale. */
type ForAll = readonly string[];

/** Reads drafts within one unit of work. */
class DraftRepository extends Repository {
  async byIds(ids: readonly string[], locales: readonly string[], forAll: ForAll): Promise<DraftRow[]> {
    const bind: unknown[] = [this.environmentId, locales, ids, forAll];
    const readable = readableEntries(this.bound.scope, 'e', (value) => `$${String(bind.push(value))}`);
    return this.query<DraftRow>(
      `SELECT DISTINCT ON (l.entry_id) ${columns} ${fromSql('$4')} AND l.entry_id = ANY($3::uuid[])
         ${readable === null ? '' : `AND ${readable}`}
       ORDER BY l.entry_id, array_position($2::text[], l.locale)`,
      bind,
    );
  }

  ownersOf(ids: readonly string[]): Promise<OwnedBlock[]> {
    return this.query<OwnedBlock>(ownersOf, [this.environmentId, ids]);
  }

  async bySlug({ slug, siteId, locales }: SlugQuery, forAll: ForAll): Promise<DraftRow[]> {
    return this.query<DraftRow>(
      `SELECT ${columns} ${fromSql('$5')} AND l.slug = $3 AND l.site_id = $4 AND ${bestOfChain}
       ORDER BY l.first_published_at NULLS LAST, l.entry_id LIMIT 1`,
      [this.environmentId, locales, slug, siteId, forAll],
    );
  }

  /** Localized values of entries by locale. */
  inLocales(
    ids: readonly string[],
    locales: readonly string[],
  ): Promise<(Pick<DraftRow, 'fields' | 'locale'> & { readonly entryId: string })[]> {
    return this.query(
      `SELECT entry_id AS "entryId", locale, fields FROM entry_locales
       WHERE environment_id = $1 AND entry_id = ANY($2::uuid[]) AND locale = ANY($3::text[]) AND NOT is_deleted`,
      [this.environmentId, ids, locales],
    );
  }

  /** An entry as of a version, in the locales that existed then, the best one first. */
  async atVersion(
    { entryId, version }: { entryId: string; version: number },
    locales: readonly string[],
    forAll: ForAll,
  ): Promise<DraftRow[]> {
    const newest = `FROM whole_versions v WHERE v.environment_id = $1 AND v.entry_id = $3 AND v.version_num <= $4`;
    const rows = await this.query<DraftRow & { renameNumber: number; sharedRenameNumber: number }>(
      `SELECT l.entry_id AS id, l.content_type_id AS "contentTypeId", l.site_id AS "siteId", was.slug, l.locale, was.fields,
         shared.fields AS "sharedFields", was.rename_number::float8 AS "renameNumber",
         shared.rename_number::float8 AS "sharedRenameNumber",
         l.published_at AS "publishedAt", was.created_at AS "updatedAt"
       FROM entry_locales l JOIN entries e ON e.environment_id = l.environment_id AND e.id = l.entry_id
         CROSS JOIN LATERAL (SELECT v.slug, v.fields, v.created_at, v.rename_number ${newest} AND v.locale = l.locale
           ORDER BY v.version_num DESC LIMIT 1) AS was
         CROSS JOIN LATERAL (SELECT v.shared_fields AS fields, v.rename_number ${newest}
           ORDER BY v.version_num DESC LIMIT 1) AS shared
       WHERE l.environment_id = $1 AND l.entry_id = $3 AND NOT l.is_deleted
         AND (l.locale = ANY($2::text[]) OR (l.is_shown AND l.content_type_id = ANY($5::uuid[])))
       ORDER BY array_position($2::text[], l.locale)`,
      [this.environmentId, locales, entryId, version, forAll],
    );
    if (rows.length === 0) return [];
    const renames = await new RenameRepository(this.bound).ofEntry(entryId);
    return rows.map(({ renameNumber, sharedRenameNumber, ...row }) => ({
      ...row,
      fields: renames.values(row.fields, renameNumber),
      sharedFields: renames.values(row.sharedFields, sharedRenameNumber),
    }));
  }

  async list(query: DocumentQuery, types: LocaleTypes): Promise<ListedPage<DraftRow>> {
    const keyset = keysetOf(query);
    const bind: unknown[] = [this.environmentId, query.locales, query.contentTypeId, query.siteId];
    if (query.siteLocales !== undefined) bind.push(chainPositions(query.siteLocales));
    const best = query.isForAll
      ? sitesSql(query)
      : query.siteLocales === undefined
        ? bestOfChain
        : bestOfSiteChain;
    const { conditions = [] } = query;
    const positionOf = query.siteLocales === undefined ? inChain : inSiteChain;
    const bound = (given: unknown): string => `$${String(bind.push(given))}`;
    const fields = conditions.length === 0 ? 'l.fields' : shownFieldsSql(types, positionOf, bound);
    const filter = filterSql(conditions, filtered(fields), bind);
    const scope = `${fromSql(bound(types.typesForAll))} AND l.content_type_id = $3 AND ($4::uuid IS NULL OR l.site_id = $4) AND ${best}${filter}`;
    const { walk, limit, offset } = query;
    const values = [...bind];
    const value = (given: unknown): string => `$${String(values.push(given))}`;
    const rows = await this.query<DraftRow & { position: Position }>(
      `SELECT ${columns}, ${positionSql(keyset)} ${scope}${afterSql(keyset, walk?.after ?? null, value)}
       ORDER BY ${orderSql(keyset)} LIMIT ${value(limit + 1)} OFFSET ${value(offset)}`,
      values,
    );
    const page = walkedPage(rows, limit);
    const total = walk?.total ?? (await this.#count(scope, bind));
    return walk === undefined ? { items: page.items, total } : { ...page, total };
  }

  async #count(scope: string, bind: readonly unknown[]): Promise<number> {
    const [count] = await this.query<{ total: number }>(`SELECT count(*)::int AS total ${scope}`, bind);
    return count?.total ?? 0;
  }
}

/** Runs a read of drafts in the caller's unit of work. */
export type RunDraftRead = <T>(read: (repository: DraftRepository) => Promise<T>) => Promise<T>;

/** The repository class, for the caller that opens the unit of work. */
export { DraftRepository };

/** Drafts of one environment, resolved as they are at publish. */
export class DraftDocuments implements DocumentSource {
  readonly isPreview = true;

  constructor(
    private readonly run: RunDraftRead,
    private readonly catalog: Catalog,
  ) {}

  async byIds(ids: readonly string[], locales: readonly string[]): Promise<StoredDocument[]> {
    if (ids.length === 0 || locales.length === 0) return [];
    return withBlocks(ids, {
      byIds: async (some) => {
        const { typesForAll } = this.catalog;
        const rows = await this.run((repository) => repository.byIds(some, locales, typesForAll));
        return this.#resolve(rows, () => locales);
      },
      ownersOf: (some) => this.run((repository) => repository.ownersOf(some)),
    });
  }

  /** An entry as of a version, without values that its fields no longer accept. */
  async atVersion(
    pinned: { entryId: string; version: number },
    locales: readonly string[],
  ): Promise<StoredDocument[]> {
    const rows = await this.run((repository) =>
      repository.atVersion(pinned, locales, this.catalog.typesForAll),
    );
    const [best, ...others] = rows.map((row) => this.#stillFitting(row));
    if (best === undefined) return [];
    const fallbacks = others.map(({ fields }) => fields);
    return [this.#present(best, { locale: locales[0], fallbacks })];
  }

  async bySlug(query: SlugQuery): Promise<StoredDocument | undefined> {
    const rows = await this.run((repository) => repository.bySlug(query, this.catalog.typesForAll));
    return (await this.#resolve(rows, () => query.locales))[0];
  }

  async list(query: DocumentQuery): Promise<ListedPage<StoredDocument>> {
    const page = await this.run((repository) => repository.list(query, this.catalog));
    return { ...page, items: await this.#resolve(page.items, chainIn(query)) };
  }

  #stillFitting(row: DraftRow): DraftRow {
    const fields = this.catalog.contentTypeById(row.contentTypeId)?.fields ?? [];
    const values = composeValues(row.sharedFields, row.fields);
    const fitting = fields.filter(
      (field) => field.apiName in values && checkShapes([field], values).length === 0,
    );
    const kept = fitting.map(({ apiName }) => [apiName, values[apiName]] as const);
    return { ...row, fields: Object.fromEntries(kept), sharedFields: {} };
  }

  /** @param chainOf the locales that an entry is read along */
  async #resolve(
    rows: readonly DraftRow[],
    chainOf: (row: DraftRow) => readonly string[],
  ): Promise<StoredDocument[]> {
    const falling = rows.filter((row) => this.#mayFallBack(row));
    const ids = falling.map(({ id }) => id);
    const locales = [...new Set(falling.flatMap(chainOf))];
    const others = ids.length === 0 ? [] : await this.run((repository) => repository.inLocales(ids, locales));
    return rows.map((row) => {
      const chain = chainOf(row);
      const fallbacks = chain.slice(chain.indexOf(row.locale) + 1).flatMap((code) => {
        const other = others.find(({ entryId, locale }) => entryId === row.id && locale === code);
        return other === undefined ? [] : [composeValues(row.sharedFields, other.fields)];
      });
      return this.#present(row, { locale: chain[0], fallbacks });
    });
  }

  #mayFallBack({ contentTypeId, sharedFields, fields }: DraftRow): boolean {
    const type = this.catalog.contentTypeById(contentTypeId);
    if (type === undefined || this.catalog.typesWithFallback.length === 0) return false;
    return mayFallBack(this.catalog, type, composeValues(sharedFields, fields));
  }

  /** @param shown the locale that a document of every locale is served in, and values of fallbacks, the best first */
  #present(
    { sharedFields, fields, ...document }: DraftRow,
    shown: { readonly locale: string | undefined; readonly fallbacks: readonly FieldValues[] },
  ): StoredDocument {
    const type = this.catalog.contentTypeById(document.contentTypeId);
    const locale = (type?.isLocalized === false ? shown.locale : undefined) ?? document.locale;
    const own = composeValues(sharedFields, fields);
    const values = showFallbacks(this.catalog, type, { values: own, fallbacks: shown.fallbacks });
    const delivered = { ...document, locale, fields: deliverFields(type?.fields ?? [], values) };
    const blocks = type && deliverBlocks(this.catalog, type, values);
    return blocks ? { ...delivered, ownBlocks: ownDocuments(delivered, blocks) } : delivered;
  }
}

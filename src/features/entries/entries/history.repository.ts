import type { Actor } from '../../../../contracts/actor.js';
import type { ChangeType } from '../../../../contracts/entries/entries/entry-version.js';
import { composeValues } from '../../../content/blocks/stored-values.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import type { Renames } from '../../../content/renames.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import {
  afterSql,
  orderSql,
  walkedPage,
  type Keyset,
  type ListedPage,
  type ListWindow,
} from '../../shared/cursor/list-page.js';
import { RenameRepository } from '../../environments/renames/index.js';

/** From JSON: `at` is an ISO string. */
interface StoredPublication {
  readonly locale: string;
  readonly kind: 'publish' | 'unpublish';
  readonly at: string;
  readonly by: Actor;
  readonly comment: string | null;
}

export interface StoredVersion {
  readonly versionNum: number;
  readonly createdAt: Date;
  readonly createdBy: Actor;
  readonly changeType: ChangeType;
  readonly locales: readonly string[];
  readonly comment: string | null;
  readonly changedFields: readonly string[];
  readonly isPublished: boolean;
  readonly publications: readonly StoredPublication[];
}

/** The entry after a version. */
export interface Snapshot {
  readonly shared: FieldValues;
  readonly locales: readonly {
    readonly locale: string;
    readonly slug: string;
    readonly fields: FieldValues;
  }[];
}

/** A locale of an entry at one of its versions. */
export interface VersionPlace {
  readonly entryId: string;
  readonly contentTypeId: string;
  readonly locale: string;
  readonly version: number;
}

/** What a version has in one locale, under current names. */
export interface VersionContent {
  readonly version: number;
  readonly slug: string;
  readonly values: FieldValues;
  readonly contentHash: string;
  readonly sharedHash: string;
  /** Whether the version was published in the locale before. */
  readonly wasLive: boolean;
  /** When it was published, if it is put back as it was. */
  readonly restoredAt?: Date | undefined;
}

/** Position in the sequence of renames at write time. */
interface RenameStamp {
  readonly renameNumber: number;
}

/** Only the latest publications of a version are returned. */
const SHOWN_PUBLICATIONS = 100;

const hasBlock = (values: string): string =>
  `jsonb_path_exists(${values}, 'strict $.** ? (@._ref == $id && exists (@.fields))', jsonb_build_object('id', b.id), true)`;

const versionsSql = (which: string, paging: string): string =>
  `SELECT v.*, EXISTS (SELECT FROM entry_locales l WHERE l.environment_id = $1 AND l.entry_id = $2
       AND l.published_version = v."versionNum") AS "isPublished",
     ARRAY(SELECT to_jsonb(p) - 'ordinal' FROM (
         SELECT ordinal, locale, kind, at, by, comment FROM entry_publications
         WHERE environment_id = $1 AND entry_id = $2 AND version_num = v."versionNum"
         ORDER BY ordinal DESC LIMIT ${String(SHOWN_PUBLICATIONS)}) AS p ORDER BY p.ordinal) AS publications
   FROM (SELECT version_num AS "versionNum", min(created_at) AS "createdAt", (array_agg(created_by))[1] AS "createdBy",
       min(change_type) AS "changeType", array_agg(locale ORDER BY locale) AS locales, min(comment) AS comment,
       (array_agg(to_jsonb(changed_fields)))[1] AS "changedFields", min(rename_number)::float8 AS "renameNumber"
     FROM entry_versions WHERE environment_id = $1 AND entry_id = $2 ${which} GROUP BY version_num ${paging}) AS v
   ORDER BY v."versionNum"`;

interface StoredContent {
  /** From 1. */
  readonly place: number;
  readonly slug: string;
  readonly shared: FieldValues;
  readonly fields: FieldValues;
  readonly sharedRename: number;
  readonly localeRename: number;
  readonly wasLive: boolean;
}

const contentsSql = `SELECT g.place::int, v.slug, s.shared_fields AS shared, v.fields, s.rename_number::float8 AS "sharedRename",
    v.rename_number::float8 AS "localeRename", EXISTS (SELECT FROM entry_publications p WHERE p.environment_id = $1
      AND p.entry_id = g.entry_id AND p.version_num = g.version AND p.locale = g.locale AND p.kind = 'publish') AS "wasLive"
  FROM unnest($2::uuid[], $3::text[], $4::int[]) WITH ORDINALITY AS g (entry_id, locale, version, place)
    CROSS JOIN LATERAL (SELECT shared_fields, rename_number FROM whole_versions v WHERE v.environment_id = $1
      AND v.entry_id = g.entry_id AND v.version_num = g.version LIMIT 1) AS s
    CROSS JOIN LATERAL (SELECT slug, fields, rename_number FROM whole_versions v WHERE v.environment_id = $1
      AND v.entry_id = g.entry_id AND v.locale = g.locale AND v.version_num <= g.version
      ORDER BY v.version_num DESC LIMIT 1) AS v
  ORDER BY g.place`;

/** As the generated columns of drafts. */
const hashesSql = `SELECT md5(slug || chr(10) || (fields::jsonb)::text) AS "contentHash", md5((shared::jsonb)::text) AS "sharedHash"
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS g (slug, fields, shared, place) ORDER BY place`;

export class HistoryRepository extends Repository {
  async list(
    entryId: string,
    { isAscending, limit, offset, walk }: ListWindow & { readonly isAscending: boolean },
  ): Promise<ListedPage<StoredVersion>> {
    const keyset: Keyset = { keys: [{ column: 'version_num', type: 'integer' }], isAscending };
    const values: unknown[] = [];
    const value = (given: unknown): string => `$${String(values.push(given) + 2)}`;
    const after = afterSql(keyset, walk?.after ?? null, value);
    const paging = `ORDER BY ${orderSql(keyset)} LIMIT ${value(limit + 1)} OFFSET ${value(offset)}`;
    const sql = `${versionsSql(after, paging)} ${isAscending ? 'ASC' : 'DESC'}`;
    const rows = await this.#versions(entryId, sql, values);
    const placed = rows.map((version) => ({ ...version, position: [String(version.versionNum)] }));
    return { ...walkedPage(placed, limit), total: walk?.total ?? (await this.#count(entryId)) };
  }

  async #count(entryId: string): Promise<number> {
    const [count] = await this.query<{ total: number }>(
      'SELECT count(DISTINCT version_num)::int AS total FROM entry_versions WHERE environment_id = $1 AND entry_id = $2',
      [this.environmentId, entryId],
    );
    return count?.total ?? 0;
  }

  async find(entryId: string, versionNum: number): Promise<StoredVersion | undefined> {
    const [version] = await this.#versions(entryId, versionsSql('AND version_num = $3', ''), [versionNum]);
    return version;
  }

  /**
   * Newest row of each locale up to the version; undefined if the version does not exist.
   * @param only the one locale to read
   */
  async snapshotAt(entryId: string, versionNum: number, only?: string): Promise<Snapshot | undefined> {
    const bind = [this.environmentId, entryId, versionNum];
    const [row] = await this.query<RenameStamp & { shared: FieldValues }>(
      `SELECT shared_fields AS shared, rename_number::float8 AS "renameNumber" FROM whole_versions
       WHERE environment_id = $1 AND entry_id = $2 AND version_num = $3 LIMIT 1`,
      bind,
    );
    if (row === undefined) return undefined;
    const locales = await this.query<RenameStamp & Snapshot['locales'][number]>(
      `SELECT l.locale, v.slug, v.fields, v.rename_number::float8 AS "renameNumber" FROM entry_locales l
         CROSS JOIN LATERAL (SELECT slug, fields, rename_number FROM whole_versions v WHERE v.environment_id = $1 AND v.entry_id = $2
           AND v.locale = l.locale AND v.version_num <= $3 ORDER BY v.version_num DESC LIMIT 1) AS v
       WHERE l.environment_id = $1 AND l.entry_id = $2 AND ($4::text IS NULL OR l.locale = $4) ORDER BY l.created_at, l.locale`,
      [...bind, only ?? null],
    );
    const renames = await this.#renames(entryId);
    return {
      shared: renames.values(row.shared, row.renameNumber),
      locales: locales.map(({ renameNumber, ...state }) => ({
        ...state,
        fields: renames.values(state.fields, renameNumber),
      })),
    };
  }

  /**
   * For each of the blocks, the version that has its values: the first from one on, or the last before. Older versions
   * link blocks that were entries then.
   */
  async versionsWith(
    entryId: string,
    blockIds: readonly string[],
    from: number,
  ): Promise<Map<string, number>> {
    const rows = await this.query<{ id: string; version: number }>(
      `SELECT DISTINCT ON (b.id) b.id, v.version_num AS version FROM unnest($3::text[]) AS b (id)
         JOIN whole_versions v ON v.environment_id = $1 AND v.entry_id = $2 AND (${hasBlock('v.shared_fields')} OR ${hasBlock('v.fields')})
       ORDER BY b.id, v.version_num < $4, CASE WHEN v.version_num < $4 THEN -v.version_num ELSE v.version_num END`,
      [this.environmentId, entryId, [...blockIds], from],
    );
    return new Map(rows.map(({ id, version }) => [id, version]));
  }

  /** Values of a locale after each of the versions, under current names; without those before it was written. */
  async localeAt(
    entryId: string,
    locale: string,
    versions: readonly number[],
  ): Promise<Map<number, FieldValues>> {
    const rows = await this.query<RenameStamp & { version: number; fields: FieldValues }>(
      `SELECT asked.version, v.fields, v.rename_number::float8 AS "renameNumber" FROM unnest($4::int[]) AS asked (version)
         CROSS JOIN LATERAL (SELECT fields, rename_number FROM whole_versions v WHERE v.environment_id = $1 AND v.entry_id = $2
           AND v.locale = $3 AND v.version_num <= asked.version ORDER BY v.version_num DESC LIMIT 1) AS v`,
      [this.environmentId, entryId, locale, [...versions]],
    );
    if (rows.length === 0) return new Map();
    const renames = await this.#renames(entryId);
    return new Map(
      rows.map(({ version, fields, renameNumber }) => [version, renames.values(fields, renameNumber)]),
    );
  }

  /** In the order of the places; undefined if the version does not exist or does not have the locale. */
  async contentsAt(places: readonly VersionPlace[]): Promise<(VersionContent | undefined)[]> {
    if (places.length === 0) return [];
    const rows = await this.query<StoredContent>(contentsSql, [
      this.environmentId,
      places.map(({ entryId }) => entryId),
      places.map(({ locale }) => locale),
      places.map(({ version }) => version),
    ]);
    const renames = new Map<string, Renames>();
    for (const [typeId, some] of Map.groupBy(places, ({ contentTypeId }) => contentTypeId))
      renames.set(
        typeId,
        await new RenameRepository(this.bound).ofEntries(some.map(({ entryId }) => entryId)),
      );
    const named = rows.map(({ place, shared, fields, sharedRename, localeRename, ...row }) => {
      const { contentTypeId = '', version = 0 } = places[place - 1] ?? {};
      const of = (values: FieldValues, after: number) =>
        renames.get(contentTypeId)?.values(values, after) ?? values;
      return { ...row, place, version, shared: of(shared, sharedRename), fields: of(fields, localeRename) };
    });
    const hashes = await this.query<{ contentHash: string; sharedHash: string }>(hashesSql, [
      named.map(({ slug }) => slug),
      named.map(({ fields }) => JSON.stringify(fields)),
      named.map(({ shared }) => JSON.stringify(shared)),
    ]);
    const found = new Map(
      named.map(({ place, shared, fields, ...row }, index) => [
        place,
        { ...row, values: composeValues(shared, fields), ...hashes[index]! },
      ]),
    );
    return places.map((_, index) => found.get(index + 1));
  }

  /** Versions store names as of their time; they are read with current names. */
  #renames(entryId: string): Promise<Renames> {
    return new RenameRepository(this.bound).ofEntry(entryId);
  }

  async #versions(entryId: string, sql: string, values: readonly unknown[]): Promise<StoredVersion[]> {
    const rows = await this.query<RenameStamp & StoredVersion>(sql, [this.environmentId, entryId, ...values]);
    if (rows.length === 0) return [];
    const renames = await this.#renames(entryId);
    return rows.map(({ renameNumber, ...version }) => ({
      ...version,
      changedFields: version.changedFields.map((name) => renames.fieldName(name, renameNumber)),
    }));
  }
}

/** Falls back to the shared values. */
export function snapshotValues({ shared, locales }: Snapshot, code: string): FieldValues {
  return composeValues(shared, locales.find(({ locale }) => locale === code)?.fields ?? {});
}

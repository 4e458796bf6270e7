import { promotedKinds } from '../../../../contracts/environments/environments/environment.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { schemaKinds } from '../../environments/environments/index.js';
import { keyText, type ItemKey, type ItemKind } from './item-kinds.js';
import type { EnvironmentPair } from './pair.repository.js';
import type { Relation } from './relation.js';

/** A row as JSON. */
export type ItemRow = Readonly<Record<string, unknown>>;

/** A stored part of an item; null: it did not exist. */
export interface StoredPart<R extends ItemRow | null = ItemRow> {
  readonly kind: ItemKind;
  readonly id: string;
  readonly part: string;
  readonly row: R;
  /** Of a tree node: the title of its entry, which the node itself has no name beside. */
  readonly title?: string | null;
  /** Of a former row: the last rename before it was written. */
  readonly renameNumber: number;
  /** Of a former row: the environment whose names it uses. */
  readonly environmentId?: string;
  /** Of a former locale: its status, where that of the row is not the one that both agreed on. */
  readonly status?: string | null;
}

const titleOfNode = `(SELECT l.title FROM entry_locales l WHERE l.environment_id = r.environment_id
  AND l.entry_id = r.entry_id AND l.is_shown)`;

/** Drafts in other locales are kept while their type has no locales. */
const isKept = ` AND (NOT r.is_deleted OR EXISTS (SELECT FROM entries e WHERE e.environment_id = r.environment_id
  AND e.id = r.entry_id AND e.deleted_at IS NULL))`;

export const partsSql = promotedKinds
  .map((kind) => {
    const ids = `ANY ($2::uuid[]) AND '${kind}' = ANY ($3::text[])`;
    const of = (
      table: string,
      item: string,
      [part, extra = '', title = 'NULL']: [string, string?, string?],
    ): string =>
      `SELECT '${kind}' AS kind, r.${item} AS id, ${part} AS part, to_json(r) AS row, 0 AS "renameNumber", ${title}::text AS title FROM ${table} r
       WHERE r.environment_id = $1 AND r.${item} = ${ids}${extra}`;
    return {
      customFieldType: of('custom_field_types', 'id', ["''"]),
      workflow: of('workflows', 'id', ["''"]),
      contentType: `${of('content_types', 'id', ["''"])} UNION ALL ${of('fields', 'content_type_id', ['r.id::text'])}`,
      entry: `${of('entries', 'id', ["''", ' AND r.deleted_at IS NULL'])}
        UNION ALL ${of('entry_locales', 'entry_id', ['r.locale', isKept])}`,
      mediaFolder: of('media_folders', 'id', ["''"]),
      media: `${of('media_assets', 'id', ["''"])} UNION ALL ${of('media_asset_locales', 'asset_id', ['r.locale'])}`,
      treeNode: of('tree_nodes', 'id', ["''", '', titleOfNode]),
      redirect: of('redirects', 'id', ["''"]),
    }[kind];
  })
  .join(' UNION ALL ');

/** Null: the part did not exist. */
export type FormerPart = StoredPart<ItemRow | null>;

const keyLists = (keys: readonly ItemKey[]): [string[], string[]] => [
  [...new Set(keys.map(({ kind }) => kind))],
  keys.map(({ id }) => id),
];

/** Whether two environments began with the same items of the kind. */
export const hasCommonStart = ({ sharesContent }: Relation, kind: ItemKind): boolean =>
  sharesContent || schemaKinds.includes(kind);

/** Changes in the spans of a relation, and their values; each reads one journal by its index. */
function changedSql({ spans }: Relation): { sql: string; bind: unknown[] } {
  const bind: unknown[] = [];
  const of = (value: unknown): string => `$${bind.push(value)}`;
  const arms = spans.map(
    ({ environmentId, from, before }) => `SELECT kind, item_id AS id FROM environment_changes
       WHERE environment_id = ${of(environmentId)}${from === null ? '' : ` AND epoch >= ${of(from)}`}${
         before === null ? '' : ` AND epoch < ${of(before)}`
       }`,
  );
  return { sql: arms.join(' UNION '), bind };
}

/** What changed in two environments since they had a state in common, and its rows. */
export class ItemRepository extends Repository {
  /** Reads the journals by their indexes: the cost is that of the changes. */
  async changed(pair: EnvironmentPair, kinds: readonly ItemKind[]): Promise<ItemKey[]> {
    const { sql, bind } = changedSql(pair);
    const list = `$${bind.length + 1}::text[]`;
    return this.query<ItemKey>(
      `SELECT kind, id FROM (${sql}) AS changed WHERE kind = ANY (${list}) ORDER BY array_position(${list}, kind), id`,
      [...bind, [...kinds]],
    );
  }

  /** How many items {@link changed} returns, at most. */
  async countChanged(pair: EnvironmentPair): Promise<number> {
    const { sql, bind } = changedSql(pair);
    const [found] = await this.query<{ items: number }>(
      `SELECT count(*)::int AS items FROM (${sql}) AS changed`,
      bind,
    );
    return found?.items ?? 0;
  }

  /** Current parts in an environment by item. */
  async parts(environmentId: string, keys: readonly ItemKey[]): Promise<Map<string, StoredPart[]>> {
    const parts = await this.query<StoredPart>(partsSql, [
      environmentId,
      keys.map(({ id }) => id),
      [...new Set(keys.map(({ kind }) => kind))],
    ]);
    return Map.groupBy(parts, keyText);
  }

  /** Parts that the environment of the common start changed, as they were then. */
  async former({ startId }: Relation, keys: readonly ItemKey[]): Promise<Map<string, FormerPart[]>> {
    const parts = await this.query<FormerPart>(
      `SELECT DISTINCT ON (kind, item_id, part) kind, item_id AS id, part, to_json(before) AS row,
         environment_id AS "environmentId", rename_number::float8 AS "renameNumber"
       FROM environment_changes WHERE environment_id = $1 AND kind = ANY ($2::text[]) AND item_id = ANY ($3::uuid[])
       ORDER BY kind, item_id, part, epoch`,
      [startId, ...keyLists(keys)],
    );
    return Map.groupBy(parts, keyText);
  }

  /** All parts of items with a later common state: as they were in the source of a promotion, and where only some locales were promoted, as before. */
  async settled(
    { source, target }: EnvironmentPair,
    keys: readonly ItemKey[],
  ): Promise<Map<string, FormerPart[]>> {
    const parts = await this.query<FormerPart>(
      `SELECT kind, item_id AS id, part, row, environment_id AS "environmentId", rename_number::float8 AS "renameNumber", status
       FROM environment_bases WHERE low_id = least($1::uuid, $2::uuid) AND high_id = greatest($1::uuid, $2::uuid)
         AND kind = ANY ($3::text[]) AND item_id = ANY ($4::uuid[])`,
      [source.id, target.id, ...keyLists(keys)],
    );
    return Map.groupBy(parts, keyText);
  }
}

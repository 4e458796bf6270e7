import { Repository } from '../../../persistence/repositories/repository.js';
import { Renames, type RenameHistory } from '../../../content/renames.js';
import { textTargetKeys } from '../../../content/model/field-definition.js';
import { RewritingRepository } from '../../shared/rewriting.repository.js';
import { isBlocksKind, isLinkKind, mayBeArray } from '../../shared/field-kind-sql.js';
import { sharedHashes } from '../../shared/published-body.js';
import {
  blocksOfType,
  changeBlocks,
  dropBlocks,
  publishedOfType,
  changeDrafts,
  type BlockChange,
  type LinkedTypeChange,
} from './block-values-sql.js';
import { ENTRIES_OF_TYPE, fieldMark, renameMarks } from './renew-translations-sql.js';

/** Values in own blocks of entries (rule entries/own-blocks), drafts and published documents. */
export class BlockValueRepository extends Repository {
  /** No version is written; what is published and unchanged remains so. The caller allows rewriting. */
  async change(contentTypeId: string, change: Omit<BlockChange, 'type'>): Promise<void> {
    const [type] = await this.query<{ apiName: string }>(
      `SELECT t.api_name AS "apiName" FROM content_types t WHERE t.environment_id = $1 AND t.id = $2
         AND EXISTS (SELECT FROM owned_blocks b WHERE b.environment_id = $1 AND b.content_type_id = $2)`,
      [this.environmentId, contentTypeId],
    );
    if (type === undefined) return;
    const made: BlockChange = { type: type.apiName, ...change };
    for (const sql of changeBlocks)
      await this.query(sql, [this.environmentId, JSON.stringify(made), contentTypeId]);
  }

  /**
   * After values of a type's fields were removed: published blocks that nothing leads to, and stored links, assets and
   * unique values that no value has.
   * @param fieldId the one field that lost values, unless blocks are removed with them
   */
  async drop(contentTypeId: string, fieldId: string | null = null): Promise<void> {
    for (const sql of dropBlocks) await this.query(sql, [this.environmentId, contentTypeId, fieldId]);
  }

  /** Blocks of a type that drafts or published documents have. */
  async count(contentTypeId: string): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM (SELECT id FROM (${blocksOfType}) AS b UNION SELECT id FROM (${publishedOfType}) AS p) AS ids`,
      [this.environmentId, contentTypeId],
    );
    return row?.count ?? 0;
  }
}

export interface FieldRename {
  readonly id: string;
  readonly contentTypeId: string;
  readonly from: string;
  readonly to: string;
}

export type ContentTypeRename = Omit<FieldRename, 'id'>;

/** A rename rewrites every value of a type in one transaction, which can exceed the timeout of a request. */
const STATEMENT_SECONDS = 120;

/** $3 becomes $4. */
const renamedKey = (column: string): string =>
  `(${column} - $3) || jsonb_build_object($4::text, ${column} -> $3)`;

/** The names of a list, $2 among which becomes $3. */
const renamedList = (list: string): string => `(
  SELECT jsonb_agg(CASE WHEN name = to_jsonb($2::text) THEN to_jsonb($3::text) ELSE name END ORDER BY n)
  FROM jsonb_array_elements(${list}) WITH ORDINALITY AS names (name, n))`;

/** Types with link fields, and the names of these fields. */
const linking = `(SELECT content_type_id, array_agg(api_name) AS names FROM fields
  WHERE environment_id = $1 AND ${isLinkKind('type')} GROUP BY content_type_id) AS linking`;

const renamedLinks = (column: string): string => `with_link_types(${column}, linking.names, $2, $3)`;
/** Whether a link may name the type: cheaper than parsing every value. */
const mayName = (column: string, parameter = 2): string =>
  `strpos(${column}::text, '"_type": "' || $${String(parameter)} || '"') > 0`;

/** Names of fields of a content type `t`. */
const fieldNames = (kinds: string): string =>
  `ARRAY(SELECT f.api_name FROM fields f WHERE f.environment_id = $1 AND f.content_type_id = t.id AND ${kinds})`;

/** See `RenameHistory`, of entries of one type. */
const historySql = `WITH owned AS (
    SELECT id, content_type_id FROM owned_blocks WHERE environment_id = $1 AND entry_id = ANY ($2::uuid[])),
  of_entry AS (SELECT content_type_id AS id FROM entries WHERE environment_id = $1 AND id = ($2::uuid[])[1]),
  named AS (SELECT id FROM of_entry UNION SELECT content_type_id FROM owned)
  SELECT of_entry.id AS "contentTypeId",
    (SELECT coalesce(jsonb_agg(jsonb_build_object('number', r.number, 'from', r.from_name, 'to', r.to_name,
        'contentTypeId', r.content_type_id, 'kind', CASE WHEN r.field_id IS NULL THEN 'contentType' ELSE 'field' END)
        ORDER BY r.number), '[]')
      FROM renames r WHERE r.environment_id = $1
        AND (r.field_id IS NULL OR r.content_type_id IN (SELECT id FROM named))) AS renames,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'apiName', t.api_name,
        'linkFields', ${fieldNames(isLinkKind('f.type'))}, 'blockFields', ${fieldNames(isBlocksKind('f.type'))},
        'lists', (SELECT coalesce(jsonb_object_agg(f.api_name, f.is_list), '{}') FROM fields f WHERE f.environment_id = $1
          AND f.content_type_id = t.id AND NOT ${mayBeArray('f.type')} AND NOT ${isBlocksKind('f.type')}))), '[]')
      FROM content_types t JOIN named USING (id) WHERE t.environment_id = $1) AS types,
    (SELECT coalesce(jsonb_object_agg(id, content_type_id), '{}') FROM owned) AS blocks
  FROM of_entry`;

/**
 * Rewrites names in drafts and published documents in the same way, so that an unchanged locale stays unchanged. One
 * statement per table, whatever the number of entries.
 */
export class RenameRepository extends Repository {
  renameField(rename: FieldRename): Promise<void> {
    return new RewritingRepository(this.bound).run(() => this.#renameField(rename));
  }

  async #renameField(rename: FieldRename): Promise<void> {
    const { contentTypeId, from, to } = rename;
    await this.#allowRewriting();
    const bind = [this.environmentId, contentTypeId, from, to];
    await this.query(
      `UPDATE entry_locales l SET ${sharedHashes(`(${renamedKey('e.shared_fields')})`)}
       FROM entries e WHERE e.environment_id = $1 AND e.content_type_id = $2 AND e.shared_fields ? $3
         AND l.environment_id = e.environment_id AND l.entry_id = e.id`,
      bind,
    );
    await this.query(
      `UPDATE entries SET shared_fields = ${renamedKey('shared_fields')}
       WHERE environment_id = $1 AND content_type_id = $2 AND shared_fields ? $3`,
      bind,
    );
    await this.query(
      `UPDATE entry_locales SET fields = ${renamedKey('fields')}, published_content_hash = CASE
         WHEN published_content_hash = content_hash THEN md5(slug || chr(10) || (${renamedKey('fields')})::text)
         ELSE published_content_hash END
       WHERE environment_id = $1 AND content_type_id = $2 AND fields ? $3`,
      bind,
    );
    await this.query(
      `UPDATE published_entries SET fields = ${renamedKey('fields')}
       WHERE environment_id = $1 AND content_type_id = $2 AND fields ? $3`,
      bind,
    );
    await this.#renameInTranslations(bind);
    await new BlockValueRepository(this.bound).change(contentTypeId, { from, to });
    await this.#note(rename, rename.id);
  }

  /** Renames a type in every link and in the settings of fields that allow it. */
  renameContentType(rename: ContentTypeRename): Promise<void> {
    return new RewritingRepository(this.bound).run(() => this.#renameContentType(rename));
  }

  async #renameContentType(rename: ContentTypeRename): Promise<void> {
    const bind = [this.environmentId, rename.from, rename.to];
    await this.#allowRewriting();
    await this.query(
      `UPDATE fields SET default_value = with_link_type(default_value, $2, $3),
         settings = CASE WHEN settings -> 'contentTypes' ? $2
           THEN jsonb_set(settings, '{contentTypes}', ${renamedList(`settings -> 'contentTypes'`)}) ELSE settings END
       WHERE environment_id = $1 AND ${isLinkKind('type')}
         AND (settings -> 'contentTypes' ? $2 OR ${mayName('default_value')})`,
      bind,
    );
    for (const key of textTargetKeys)
      await this.query(
        `UPDATE fields SET validations = jsonb_set(validations, '{${key}}', ${renamedList(`validations -> '${key}'`)})
         WHERE environment_id = $1 AND validations -> '${key}' ? $2`,
        bind,
      );
    const { from, to } = rename;
    const change: LinkedTypeChange = { links: true, from, to };
    const named = { entries: mayName('e.shared_fields', 3), locales: mayName('l.fields', 3) };
    for (const sql of changeDrafts(named))
      await this.query(sql, [this.environmentId, JSON.stringify(change), from]);
    await this.query(
      `UPDATE published_entries p SET fields = ${renamedLinks('p.fields')} FROM ${linking}
       WHERE p.environment_id = $1 AND p.content_type_id = linking.content_type_id AND ${mayName('p.fields')}`,
      bind,
    );
    await this.query(
      `UPDATE published_entries p SET blocks = (
         SELECT jsonb_object_agg(id, jsonb_set(block, '{fields}', ${renamedLinks("(block -> 'fields')")}))
         FROM jsonb_each(p.blocks) AS b (id, block) LEFT JOIN ${linking} ON linking.content_type_id::text = block ->> 'type')
       WHERE p.environment_id = $1 AND p.blocks IS NOT NULL AND ${mayName('p.blocks')}`,
      bind,
    );
    await this.#note(rename, null);
  }

  /**
   * The renames that apply to the versions of an entry.
   * @param until number of the first one that does not
   */
  ofEntry(entryId: string, until = Infinity): Promise<Renames> {
    return this.ofEntries([entryId], until);
  }

  /** As {@link ofEntry}, of entries of one type. */
  async ofEntries(entryIds: readonly string[], until = Infinity): Promise<Renames> {
    const [row] = await this.query<RenameHistory>(historySql, [this.environmentId, [...entryIds]]);
    const history = row ?? { renames: [], types: [], contentTypeId: '', blocks: {} };
    return new Renames({ ...history, renames: history.renames.filter(({ number }) => number < until) });
  }

  async #renameInTranslations(bind: readonly unknown[]): Promise<void> {
    const mark = fieldMark('$3::text', '$4::text');
    for (const sql of renameMarks(mark, '$3::text', ENTRIES_OF_TYPE)) await this.query(sql, bind);
  }

  /** Translations follow a rename, which changes no content. */
  async #allowRewriting(): Promise<void> {
    await this.allowTime(STATEMENT_SECONDS);
    await new RewritingRepository(this.bound).begin();
  }

  async #note({ contentTypeId, from, to }: ContentTypeRename, fieldId: string | null): Promise<void> {
    await this.query(
      `INSERT INTO renames (tenant_id, environment_id, content_type_id, field_id, from_name, to_name, renamed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [this.tenantId, this.environmentId, contentTypeId, fieldId, from, to, this.bound.now],
    );
  }
}

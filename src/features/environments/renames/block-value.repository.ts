import { Repository } from '../../../persistence/repositories/repository.js';
import {
  blocksOfType,
  changeBlocks,
  dropBlocks,
  publishedOfType,
  type BlockChange,
} from './block-values-sql.js';

/** The name of a translated value after the change: `$4` of blocks of the type `$2` became `$3`. */
const renamedMark = (mark: string, entryId: string): string => `CASE WHEN $3::text IS NOT NULL
  AND right(${mark}, length($4) + 2) = '].' || $4 AND EXISTS (SELECT FROM owned_blocks b WHERE b.environment_id = $1
    AND b.content_type_id = $2 AND b.entry_id = ${entryId} AND b.id::text = split_part(split_part(${mark}, '[', 2), ']', 1))
  THEN left(${mark}, -length($4)) || $3 ELSE ${mark} END`;

/** Entries of the type, and those with blocks of it. */
const changedEntries = `(SELECT id FROM entries WHERE environment_id = $1 AND content_type_id = $2
  UNION SELECT entry_id FROM owned_blocks WHERE environment_id = $1 AND content_type_id = $2)`;

const hashesOf = `field_hashes(coalesce(l.fields, '{}'))`;
const sourceOf = (
  entryId: string,
): string => `entries e JOIN sites s ON s.tenant_id = e.tenant_id AND s.id = e.site_id
  JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = e.id AND l.locale = s.default_locale
  WHERE e.environment_id = $1 AND e.id = ${entryId}`;

/** Translations follow a rewriting, which changes no content: what was made from a source remains so. */
const followedTranslations = [
  `UPDATE translations t SET names = n.names, provenance = coalesce((
     SELECT jsonb_object_agg(k.mark, CASE WHEN p.value ->> 'hash' = n.former ->> p.key AND n.hashes ? k.mark
         THEN p.value || jsonb_build_object('hash', n.hashes -> k.mark) ELSE p.value END)
     FROM jsonb_each(t.provenance) AS p CROSS JOIN LATERAL (SELECT ${renamedMark('p.key', 't.entry_id')} AS mark) AS k
     WHERE strpos(k.mark, '].') = 0 OR k.mark = ANY (n.names)), '{}')
   FROM (SELECT o.entry_id, o.locale, coalesce(field_names(w.fields), '{}') AS names, coalesce(k.hashes, '{}') AS former,
       coalesce((SELECT ${hashesOf} FROM ${sourceOf('o.entry_id')}), '{}') AS hashes
     FROM translations o JOIN ${changedEntries} AS c ON c.id = o.entry_id
       LEFT JOIN entry_locales w ON w.environment_id = $1 AND w.entry_id = o.entry_id AND w.locale = o.locale
       LEFT JOIN translation_sources k ON k.environment_id = $1 AND k.entry_id = o.entry_id
     WHERE o.environment_id = $1) AS n
   WHERE t.environment_id = $1 AND t.entry_id = n.entry_id AND t.locale = n.locale`,
  `UPDATE translation_sources k SET names = n.names, hashes = CASE WHEN n.is_live THEN n.hashes ELSE coalesce((
     SELECT jsonb_object_agg(m.mark, h.value) FROM jsonb_each(k.hashes) AS h
       CROSS JOIN LATERAL (SELECT ${renamedMark('h.key', 'k.entry_id')} AS mark) AS m
     WHERE strpos(m.mark, '].') = 0 OR m.mark = ANY (n.names)), '{}') END
   FROM (SELECT e.id AS entry_id, field_names(l.fields) AS names, ${hashesOf} AS hashes,
       coalesce(l.published_content_hash = l.content_hash, false) AS is_live
     FROM ${sourceOf(`ANY (ARRAY${changedEntries})`)}) AS n
   WHERE k.environment_id = $1 AND k.entry_id = n.entry_id`,
  `UPDATE translations t SET outdated = outdated_fields(t.provenance, k.hashes, k.version)
   FROM translation_sources k WHERE t.environment_id = $1 AND k.environment_id = $1 AND k.entry_id = t.entry_id
     AND t.entry_id = ANY (ARRAY${changedEntries}) AND t.outdated <> outdated_fields(t.provenance, k.hashes, k.version)`,
] as const;

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
    await this.#followTranslations(contentTypeId, change);
  }

  /**
   * After values of a type's fields were removed: published blocks that nothing leads to, and stored links, assets and
   * unique values that no value has.
   * @param fieldId the one field that lost values, unless blocks are removed with them
   */
  async drop(contentTypeId: string, fieldId: string | null = null): Promise<void> {
    for (const sql of dropBlocks) await this.query(sql, [this.environmentId, contentTypeId, fieldId]);
    if (fieldId === null) await this.#followTranslations(contentTypeId, {});
  }

  /** Blocks of a type that drafts or published documents have. */
  async count(contentTypeId: string): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM (SELECT id FROM (${blocksOfType}) AS b UNION SELECT id FROM (${publishedOfType}) AS p) AS ids`,
      [this.environmentId, contentTypeId],
    );
    return row?.count ?? 0;
  }

  async #followTranslations(
    contentTypeId: string,
    { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  ): Promise<void> {
    const renamed = to === undefined ? [null, null] : [to, from ?? null];
    const [translations, sources, outdated] = followedTranslations;
    for (const sql of [translations, sources])
      await this.query(sql, [this.environmentId, contentTypeId, ...renamed]);
    await this.query(outdated, [this.environmentId, contentTypeId]);
  }
}

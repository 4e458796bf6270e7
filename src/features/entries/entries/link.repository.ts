import { isUuid } from '../../../infrastructure/ids.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { LocalesRead } from './anchored-values.js';
import { findOffline } from './read-entry-sql.js';
import { readableEntries } from '../../shared/readable-entries.js';

export interface LinkTarget {
  readonly id: string;
  readonly contentTypeId: string;
  readonly siteId: string;
}

/** A draft that links to another entry. */
export interface Referrer {
  readonly targetId: string;
  readonly entryId: string;
}

/** An entry whose published documents link to another one. */
export interface LiveReferrer extends Referrer {
  readonly publishedLocales: readonly string[];
}

/** A field whose links keep their targets published. */
export interface RestrictingField {
  readonly contentTypeId: string;
  readonly apiName: string;
}

const lockTargets = {
  name: 'hold_link_targets',
  text: 'SELECT 1 FROM entries WHERE environment_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR KEY SHARE',
};
const findTargets = {
  name: 'find_link_targets',
  text: `SELECT id, content_type_id AS "contentTypeId", site_id AS "siteId" FROM entries
    WHERE environment_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL`,
};

const findTargetsOf = {
  name: 'find_link_targets_of',
  text: `SELECT DISTINCT e.id, e.content_type_id AS "contentTypeId", e.site_id AS "siteId"
    FROM entry_links k JOIN entries e ON e.environment_id = k.environment_id AND e.id = k.target_id AND e.deleted_at IS NULL
    WHERE k.environment_id = $1 AND k.entry_id = ANY($2::uuid[])`,
};

/** Whether the field `f` of a document names the target `t`. */
const namesTarget = (fields: string): string => `${fields} -> f."apiName" @> ANY (ARRAY[
  jsonb_build_object('_ref', t.id::text), jsonb_build_array(jsonb_build_object('_ref', t.id::text))])`;

export class LinkRepository extends Repository {
  async targets(ids: readonly string[]): Promise<Map<string, LinkTarget>> {
    if (ids.length === 0) return new Map();
    const rows = await this.query<LinkTarget>(findTargets, [this.environmentId, ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** As {@link targets}, limited to entries the actor can read. */
  async readableTargets(ids: readonly string[]): Promise<Map<string, LinkTarget>> {
    const bind: unknown[] = [this.environmentId, ids];
    const readable = readableEntries(this.bound.scope, 'entries', (value) => `$${String(bind.push(value))}`);
    if (readable === null || ids.length === 0) return this.targets(ids);
    const rows = await this.query<LinkTarget>(`${findTargets.text} AND ${readable}`, bind);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Readable entries written in one of the locales, or for every locale, but invisible to a reader of the first. */
  async offline(ids: readonly string[], { locales, forAll }: LocalesRead, limit: number): Promise<string[]> {
    if (ids.length === 0) return [];
    const bind: unknown[] = [this.environmentId, [...ids], [...locales], limit, [...forAll]];
    const readable = readableEntries(this.bound.scope, 'e', (value) => `$${String(bind.push(value))}`);
    const statement = readable === null ? findOffline() : findOffline(readable).text;
    return (await this.query<{ id: string }>(statement, bind)).map(({ id }) => id);
  }

  /** Those of the entries that have a newer draft than readers of the locale see. */
  async changed(ids: readonly string[], locale: string): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await this.query<{ id: string }>(
      `SELECT l.entry_id AS id FROM entry_locales l
       WHERE l.environment_id = $1 AND l.entry_id = ANY($2::uuid[]) AND l.locale = $3 AND l.status = 'changed' AND NOT l.is_deleted`,
      [this.environmentId, [...ids], locale],
    );
    return rows.map(({ id }) => id);
  }

  /** Existing link targets of these entries' drafts; malformed ids are ignored. */
  async targetsOf(entryIds: readonly string[]): Promise<Map<string, LinkTarget>> {
    const rows = await this.query<LinkTarget>(findTargetsOf, [this.environmentId, entryIds.filter(isUuid)]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Prevents deletion until the end of the transaction. */
  async lock(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.query(lockTargets, [this.environmentId, [...ids]]);
  }

  /** Drafts that link to these; self-links excluded. */
  async referrersOf(targetIds: readonly string[]): Promise<Referrer[]> {
    return this.query<Referrer>(
      `SELECT DISTINCT k.target_id AS "targetId", k.entry_id AS "entryId"
       FROM entry_links k JOIN entries e ON e.environment_id = k.environment_id AND e.id = k.entry_id AND e.deleted_at IS NULL
       WHERE k.environment_id = $1 AND k.target_id = ANY($2::uuid[]) AND k.entry_id <> k.target_id`,
      [this.environmentId, [...targetIds]],
    );
  }

  /** Published documents that link to these through the given fields. */
  async liveReferrersOf(
    targetIds: readonly string[],
    fields: readonly RestrictingField[],
  ): Promise<LiveReferrer[]> {
    if (fields.length === 0 || targetIds.length === 0) return [];
    return this.query<LiveReferrer>(
      `SELECT t.id AS "targetId", p.entry_id AS "entryId", array_agg(DISTINCT p.locale ORDER BY p.locale) AS "publishedLocales"
       FROM unnest($2::uuid[]) AS t(id)
         CROSS JOIN jsonb_to_recordset($3::jsonb) AS f("contentTypeId" uuid, "apiName" text)
         JOIN published_entries p ON p.environment_id = $1 AND p.content_type_id = f."contentTypeId" AND p.entry_id <> t.id
           AND ${namesTarget('p.fields')}
       GROUP BY 1, 2
       UNION
       SELECT t.id, p.entry_id, array_agg(DISTINCT p.locale ORDER BY p.locale)
       FROM unnest($2::uuid[]) AS t(id)
         JOIN published_entries p ON p.environment_id = $1 AND p.blocks IS NOT NULL
           AND link_targets(p.fields, p.blocks) @> ARRAY[t.id::text] AND NOT p.blocks ? t.id::text AND p.entry_id <> t.id
         CROSS JOIN LATERAL jsonb_each(p.blocks) AS b
         JOIN jsonb_to_recordset($3::jsonb) AS f("contentTypeId" text, "apiName" text) ON f."contentTypeId" = b.value ->> 'type'
       WHERE ${namesTarget("b.value -> 'fields'")}
       GROUP BY 1, 2 ORDER BY 1, 2`,
      [this.environmentId, [...targetIds], JSON.stringify(fields)],
    );
  }
}

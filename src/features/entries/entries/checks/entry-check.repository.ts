import type { Catalog } from '../../../../content/catalog.js';
import { composeValues } from '../../../../content/blocks/stored-values.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import { initialState, stateOf, storedState } from '../../../../content/workflow/workflow-definition.js';
import { blocksOfEntries } from '../../../environments/renames/index.js';
import { linkRows } from '../link-rows.js';
import type { LinkRow } from '../entry.repository.js';

/** A stored link without a value, or a value without its stored link. */
interface LinkDifference {
  readonly entryId: string;
  readonly problem: 'missing' | 'left over';
}

interface EntryLinksRow {
  readonly entryId: string;
  readonly contentTypeId: string;
  readonly sharedFields: FieldValues;
  readonly locales: Readonly<Record<string, FieldValues>>;
  readonly links: readonly LinkRow[];
}

const BATCH = 500;

const keyOf = ({ fieldId, locale, targetId }: LinkRow): string => `${fieldId} ${locale} ${targetId}`;

/** Compares stored links with the drafts. */
export class LinkCheckRepository extends Repository {
  async differences(catalog: Catalog, limit: number): Promise<LinkDifference[]> {
    await this.allowTime(600);
    const found: LinkDifference[] = [];
    let last = '00000000-0000-0000-0000-000000000000';
    for (let rows = await this.#after(last); rows.length > 0; rows = await this.#after(last)) {
      found.push(...rows.flatMap((row) => differencesOf(row, catalog)));
      last = rows.at(-1)?.entryId ?? last;
    }
    return found.slice(0, limit);
  }

  #after(entryId: string): Promise<EntryLinksRow[]> {
    return this.query<EntryLinksRow>(
      `SELECT e.id AS "entryId", e.content_type_id AS "contentTypeId", e.shared_fields AS "sharedFields",
         (SELECT jsonb_object_agg(l.locale, l.fields) FROM entry_locales l
           WHERE l.environment_id = e.environment_id AND l.entry_id = e.id) AS locales,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('fieldId', k.field_id, 'locale', k.locale, 'targetId', k.target_id,
             'isMedia', k.is_media)), '[]')
           FROM entry_links k WHERE k.environment_id = e.environment_id AND k.entry_id = e.id) AS links
       FROM entries e WHERE e.environment_id = $1 AND e.id > $2::uuid ORDER BY e.id LIMIT $3`,
      [this.environmentId, entryId, BATCH],
    );
  }
}

function differencesOf(row: EntryLinksRow, catalog: Catalog): LinkDifference[] {
  const type = catalog.contentTypeById(row.contentTypeId);
  if (type === undefined) return [];
  const made = Object.entries(row.locales).flatMap(([locale, fields]) =>
    linkRows(catalog, type, { values: composeValues(row.sharedFields, fields), locale }),
  );
  const expected = new Set(made.map(keyOf));
  const kept = new Set(row.links.map(keyOf));
  const { entryId } = row;
  return [
    ...[...expected].filter((key) => !kept.has(key)).map(() => ({ entryId, problem: 'missing' as const })),
    ...[...kept].filter((key) => !expected.has(key)).map(() => ({ entryId, problem: 'left over' as const })),
  ];
}

/** A derived column or counter that differs from its source rows. */
interface MarkDifference {
  /** Entry and locale, or the counter. */
  readonly of: string;
  readonly problem: string;
}

/** Whether the locale `l` is not read. */
const isHidden = '(e.deleted_at IS NOT NULL OR (NOT l.is_shown AND NOT t.is_localized))';

const checks = {
  marks: `SELECT l.entry_id || ' ' || l.locale AS "of",
      concat_ws(', ', CASE WHEN l.shared_hash <> e.shared_hash THEN 'the hash of shared values differs' END,
        CASE WHEN l.is_deleted <> ${isHidden} THEN 'the mark of deletion differs' END,
        CASE WHEN l.is_shown <> (l.locale = best.locale) THEN 'the mark of the shown locale differs' END) AS problem
    FROM entries e JOIN sites s ON s.tenant_id = e.tenant_id AND s.id = e.site_id
      JOIN content_types t ON t.environment_id = e.environment_id AND t.id = e.content_type_id
      JOIN entry_locales l ON l.environment_id = e.environment_id AND l.entry_id = e.id
      CROSS JOIN LATERAL (SELECT c.locale FROM entry_locales c WHERE c.environment_id = e.environment_id AND c.entry_id = e.id
        ORDER BY c.is_shown AND NOT t.is_localized DESC, c.locale = s.default_locale DESC, c.created_at, c.locale LIMIT 1) AS best
    WHERE e.environment_id = $1 AND (l.shared_hash <> e.shared_hash OR l.is_deleted <> ${isHidden}
      OR l.is_shown <> (l.locale = best.locale)) LIMIT $2`,
  entryCounts: `WITH truth AS (
      SELECT l.content_type_id, l.site_id, shown.locale, l.status, l.is_deleted, coalesce(l.workflow_state, '') AS workflow_state,
        count(*) AS n
      FROM entry_locales l CROSS JOIN LATERAL (SELECT l.locale UNION ALL SELECT '' WHERE l.is_shown) AS shown (locale)
      WHERE l.environment_id = $1 GROUP BY 1, 2, 3, 4, 5, 6),
    kept AS (SELECT content_type_id, site_id, locale, status, is_deleted, workflow_state, sum(entries) AS n FROM entry_counts
      WHERE environment_id = $1 GROUP BY 1, 2, 3, 4, 5, 6)
    SELECT 'count of entries ' || concat_ws(' ', content_type_id, site_id, nullif(locale, ''), status,
        nullif(workflow_state, ''), CASE WHEN is_deleted THEN 'deleted' END) AS "of",
      coalesce(kept.n, 0) || ', should be ' || coalesce(truth.n, 0) AS problem
    FROM truth FULL JOIN kept USING (content_type_id, site_id, locale, status, is_deleted, workflow_state)
    WHERE coalesce(truth.n, 0) <> coalesce(kept.n, 0) LIMIT $2`,
  publishedCounts: `WITH truth AS (SELECT content_type_id, site_id, locale, count(*) AS n FROM published_entries
      WHERE environment_id = $1 GROUP BY 1, 2, 3),
    kept AS (SELECT content_type_id, site_id, locale, sum(entries) AS n FROM published_counts
      WHERE environment_id = $1 GROUP BY 1, 2, 3)
    SELECT 'count of documents ' || concat_ws(' ', content_type_id, site_id, locale) AS "of",
      coalesce(kept.n, 0) || ', should be ' || coalesce(truth.n, 0) AS problem
    FROM truth FULL JOIN kept USING (content_type_id, site_id, locale)
    WHERE coalesce(truth.n, 0) <> coalesce(kept.n, 0) LIMIT $2`,
} as const;

/** Compares derived columns and counters with the entries. */
export class MarkCheckRepository extends Repository {
  async differences(limit: number): Promise<MarkDifference[]> {
    await this.allowTime(600);
    const found: MarkDifference[] = [];
    for (const check of Object.values(checks))
      found.push(...(await this.query<MarkDifference>(check, [this.environmentId, limit])));
    return found;
  }

  /** Counts entries, documents and translations again. */
  async recount(): Promise<void> {
    await this.allowTime(600);
    await this.query('SELECT recount_environment($1)', [this.environmentId]);
  }
}

interface StateRow {
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly entryId: string;
  readonly states: readonly (string | null)[];
}

/** Compares the stored states of entries with their workflows. */
export class StateCheckRepository extends Repository {
  async differences(catalog: Catalog, limit: number): Promise<MarkDifference[]> {
    const found = (await this.#rows()).flatMap((row) => {
      const problem = this.#problemOf(catalog, row);
      return problem === undefined ? [] : [{ of: `state of ${row.entryId}`, problem }];
    });
    return found.slice(0, limit);
  }

  /** Entries without a valid state start again; where each locale has its own state, only locales without one. */
  async repair(catalog: Catalog): Promise<void> {
    const wrong = (await this.#rows()).filter((row) => this.#problemOf(catalog, row) !== undefined);
    const workflows = wrong.map((row) => catalog.workflowOf(row));
    await this.query(
      `UPDATE entry_locales l SET workflow_state = g.initial
       FROM unnest($2::uuid[], $3::text[], $4::jsonb[]) AS g (entry_id, initial, kept)
       WHERE l.environment_id = $1 AND l.entry_id = g.entry_id AND (g.kept IS NULL OR NOT g.kept ? l.workflow_state)`,
      [
        this.environmentId,
        wrong.map(({ entryId }) => entryId),
        workflows.map((workflow) => workflow && storedState(workflow, initialState(workflow))),
        workflows.map((workflow) =>
          workflow?.perLocale === true ? JSON.stringify(workflow.states.map(({ key }) => key)) : null,
        ),
      ],
    );
  }

  async #rows(): Promise<StateRow[]> {
    await this.allowTime(600);
    return this.query<StateRow>(
      `SELECT content_type_id AS "contentTypeId", site_id AS "siteId", entry_id AS "entryId",
         array_agg(DISTINCT workflow_state) AS states
       FROM entry_locales WHERE environment_id = $1
       GROUP BY content_type_id, site_id, entry_id HAVING bool_or(workflow_state IS NOT NULL)`,
      [this.environmentId],
    );
  }

  #problemOf(catalog: Catalog, { states, ...entry }: StateRow): string | undefined {
    const workflow = catalog.workflowOf(entry);
    if (workflow === undefined) return 'no workflow applies';
    const unknown = states.find((key) => key !== null && stateOf(workflow, key) === undefined);
    if (unknown !== undefined) return `${workflow.slug} has no state ${unknown ?? ''}`;
    return workflow.perLocale || states.length === 1 ? undefined : 'its locales differ';
  }
}

interface OwnedBlockDifference {
  readonly of: string;
  readonly problem: string;
}

/** Blocks of drafts and published documents: `id` as text, `entry_id`, `content_type_id`, `is_draft`. */
const held = `SELECT DISTINCT b.id, b.entry_id, t.id AS content_type_id, true AS is_draft
    FROM (${blocksOfEntries}) AS b JOIN content_types t ON t.environment_id = $1 AND t.api_name = b.type_name
    WHERE b.is_whole
  UNION SELECT b.id, p.entry_id, t.id, false FROM published_entries p CROSS JOIN LATERAL jsonb_each(p.blocks) AS b (id, block)
    JOIN content_types t ON t.environment_id = $1 AND t.id::text = b.block ->> 'type'
    WHERE p.environment_id = $1 AND p.blocks IS NOT NULL`;

/**
 * Compares the table of own blocks with the drafts and published documents. It may have former blocks, too; and a document may
 * still show a block that its entry has given to a shared one, or that is an entry now.
 */
export class OwnedBlockCheckRepository extends Repository {
  async differences(limit: number): Promise<OwnedBlockDifference[]> {
    await this.allowTime(600);
    return this.query<OwnedBlockDifference>(
      `WITH held AS MATERIALIZED (${held})
       SELECT DISTINCT 'block ' || h.id || ' of ' || h.entry_id AS "of",
         CASE WHEN o.id IS NULL THEN 'has no owner' WHEN o.entry_id <> h.entry_id THEN 'belongs to ' || o.entry_id
           ELSE 'has another type' END AS problem
       FROM held h LEFT JOIN owned_blocks o ON o.environment_id = $1 AND o.id::text = h.id
       WHERE (o.entry_id, o.content_type_id) IS DISTINCT FROM (h.entry_id, h.content_type_id)
         AND (h.is_draft OR NOT EXISTS (SELECT FROM held k
           WHERE k.id = h.id AND k.entry_id = o.entry_id AND k.content_type_id = o.content_type_id
           UNION ALL SELECT FROM entries e WHERE e.environment_id = $1 AND e.id = o.id))
       ORDER BY 1 LIMIT $2`,
      [this.environmentId, limit],
    );
  }

  /** Adds missing rows, and moves those whose entry does not have the block to the one that has. */
  async repair(): Promise<void> {
    await this.allowTime(600);
    await this.query(
      `DELETE FROM owned_blocks o USING (${held}) AS h WHERE o.environment_id = $1 AND o.id::text = h.id
         AND (o.entry_id, o.content_type_id) IS DISTINCT FROM (h.entry_id, h.content_type_id)
         AND NOT EXISTS (SELECT FROM (${held}) AS k
           WHERE k.id = o.id::text AND k.entry_id = o.entry_id AND k.content_type_id = o.content_type_id)`,
      [this.environmentId],
    );
    await this.query(
      `INSERT INTO owned_blocks (tenant_id, environment_id, id, entry_id, content_type_id)
       SELECT DISTINCT ON (h.id) $2::uuid, $1::uuid, h.id::uuid, h.entry_id, h.content_type_id FROM (${held}) AS h
       WHERE h.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' ORDER BY h.id, h.is_draft DESC, h.entry_id ON CONFLICT DO NOTHING`,
      [this.environmentId, this.tenantId],
    );
  }
}

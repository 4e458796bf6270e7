import type pg from 'pg';
import type { Ledger } from './ledger.js';
import type { Receiver } from './receiver.js';

/** What the checks compare. */
export interface Evidence {
  /** As superuser. */
  readonly database: pg.Client;
  readonly ledger: Ledger;
  readonly receiver: Receiver;
}

/** Acknowledged versions missing or different in history. */
async function lostVersions({ database, ledger }: Evidence): Promise<number> {
  const { rows } = await database.query<{ lost: number }>(
    `SELECT count(*)::int AS lost FROM jsonb_to_recordset($1::jsonb) AS known ("entryId" uuid, version int, title text)
     LEFT JOIN entry_versions v ON v.entry_id = known."entryId" AND v.version_num = known.version
     WHERE v.fields ->> 'title' IS DISTINCT FROM known.title`,
    [JSON.stringify(ledger.versions)],
  );
  return rows[0]?.lost ?? -1;
}

/** Acknowledged publications missing in delivery at that version. */
async function lostPublications({ database, ledger }: Evidence): Promise<number> {
  const bulk = ledger.bulks
    .filter(({ isAcknowledged }) => isAcknowledged)
    .flatMap(({ entryIds }) => entryIds);
  const { rows } = await database.query<{ lost: number }>(
    `SELECT count(*)::int AS lost FROM jsonb_to_recordset($1::jsonb) AS known ("entryId" uuid, version int)
     LEFT JOIN published_entries p ON p.entry_id = known."entryId" WHERE p.version IS NULL OR p.version < known.version`,
    [JSON.stringify([...ledger.published, ...bulk.map((entryId) => ({ entryId, version: 1 }))])],
  );
  return rows[0]?.lost ?? -1;
}

/** Bulk calls that were published in part, or recorded and not applied. */
async function partialBulks({ database, ledger }: Evidence): Promise<number> {
  const { rows } = await database.query<{ partial: number }>(
    `SELECT count(*)::int AS partial FROM (
       SELECT bulk."requestId" AS id, array_length(bulk."entryIds", 1) AS wanted,
         (SELECT count(*) FROM published_entries p WHERE p.entry_id = ANY (bulk."entryIds")) AS done,
         (SELECT count(*) FROM audit_events a WHERE a.context ->> 'requestId' = bulk."requestId"
           AND a.action = 'entry.bulk') AS recorded
       FROM jsonb_to_recordset($1::jsonb) AS bulk ("requestId" text, "entryIds" uuid[])) found
     WHERE done <> CASE recorded WHEN 1 THEN wanted ELSE 0 END`,
    [JSON.stringify(ledger.bulks)],
  );
  return rows[0]?.partial ?? -1;
}

/** Acknowledged requests without exactly one audit record of what they name. */
async function withoutAuditRecord({ database, ledger }: Evidence): Promise<number> {
  const { rows } = await database.query<{ wrong: number }>(
    `SELECT count(*)::int AS wrong FROM unnest($1::text[]) AS known (id) LEFT JOIN (
       SELECT context ->> 'requestId' AS id, count(*) AS records FROM audit_events
       WHERE coalesce(context -> 'cause' ->> 'action', action) = action GROUP BY 1) a USING (id)
     WHERE coalesce(a.records, 0) <> 1`,
    [ledger.acknowledged],
  );
  return rows[0]?.wrong ?? -1;
}

/** Contradictions between tables, regardless of acknowledgements. */
const contradictions = {
  'skipped versions': `SELECT count(*)::int AS wrong FROM entries e WHERE e.version <> (
    SELECT count(DISTINCT version_num) FROM entry_versions v WHERE v.entry_id = e.id)`,
  'versions without their audit record': `SELECT count(*)::int AS wrong FROM entry_versions v WHERE NOT EXISTS (
    SELECT FROM audit_events a WHERE a.target ->> 'id' = v.entry_id::text AND a.action IN ('entry.create', 'entry.update')
      AND (a.after ->> 'version')::int = v.version_num)`,
  'audit records without their version': `SELECT count(*)::int AS wrong FROM audit_events a
    WHERE a.action IN ('entry.create', 'entry.update') AND NOT EXISTS (SELECT FROM entry_versions v
      WHERE v.entry_id::text = a.target ->> 'id' AND v.version_num = (a.after ->> 'version')::int)`,
  'publications that differ between write and read model': `SELECT count(*)::int AS wrong
    FROM entry_locales l FULL JOIN published_entries p USING (environment_id, entry_id, locale)
    WHERE (l.published_version IS NULL) <> (p.version IS NULL) OR l.published_version <> p.version`,
  'wrong counters of published entries': `SELECT abs(
    (SELECT coalesce(sum(entries), 0) FROM published_counts) - (SELECT count(*) FROM published_entries))::int AS wrong`,
} as const;

/** Audited events that the receiver did not get. */
async function undelivered({ database, receiver }: Evidence): Promise<number> {
  const { rows } = await database.query<{ event: string }>(
    `SELECT 'entry.created ' || (target ->> 'id') || ' 1' AS event FROM audit_events WHERE action = 'entry.create'
     UNION ALL SELECT 'entry.updated ' || (target ->> 'id') || ' ' || (after ->> 'version') FROM audit_events
       WHERE action = 'entry.update'
     UNION ALL SELECT 'entry.published ' || p.entry_id || ' ' || p.version FROM published_entries p`,
  );
  return rows.filter(({ event }) => !receiver.deliveries.has(event)).length;
}

/** Events received more than once, which is allowed. */
export const duplicates = ({ deliveries }: Receiver): number =>
  [...deliveries.values()].filter((times) => times > 1).length;

/** Waits until every committed event is delivered or time runs out; returns the number missing. */
export async function waitForDeliveries(evidence: Evidence, seconds: number): Promise<number> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const missing = await undelivered(evidence);
    if (missing === 0 || Date.now() > deadline) return missing;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** The result of every check; a number above zero is an error. */
export async function compare(evidence: Evidence): Promise<Record<string, number>> {
  const result: Record<string, number> = {
    'lost acknowledged versions': await lostVersions(evidence),
    'lost acknowledged publications': await lostPublications(evidence),
    'partially applied bulk calls': await partialBulks(evidence),
    'acknowledged requests without exactly one audit record': await withoutAuditRecord(evidence),
  };
  for (const [name, sql] of Object.entries(contradictions)) {
    const { rows } = await evidence.database.query<{ wrong: number }>(sql);
    result[name] = rows[0]?.wrong ?? -1;
  }
  return result;
}

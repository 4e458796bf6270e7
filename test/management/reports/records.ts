import { fc } from '../../support/properties.js';
import type { Desk } from '../../support/desk.js';

/** An audit record that a test writes. */
export interface MadeRecord {
  readonly action: string;
  /** Minutes after the first of the period. */
  readonly minute: number;
  readonly actor: number;
  readonly entry: number;
  readonly locale: string | null;
}

const PERIOD_START = Date.parse('2026-03-20T00:00:00Z');
export const timeOf = ({ minute }: MadeRecord): number => PERIOD_START + minute * 60_000;
export const actorId = (position: number): string => `019a3b5e-7c1a-7f00-8000-00000000000${String(position)}`;

/** Writes records as the service would, at any time. */
async function writeRecords(
  { app, project }: Desk,
  records: readonly MadeRecord[],
  entryIds: readonly string[],
): Promise<void> {
  const { tenantId, projectId } = project;
  const [environment] = await app.rows<{ id: string }>(
    tenantId,
    'SELECT id FROM environments WHERE project_id = $1',
    [projectId],
  );
  const rows = records.map((record) => ({
    at: new Date(timeOf(record)),
    action: record.action,
    actor: { type: 'user', id: actorId(record.actor), name: 'Editor' },
    target: { type: 'entry', id: entryIds[record.entry], name: 'Lock' },
    locale: record.locale,
  }));
  await app.rows(
    tenantId,
    `INSERT INTO audit_events (id, tenant_id, project_id, environment_id, at, action, actor, target, locale, changed_fields, context, metadata)
     SELECT gen_random_uuid(), $1, $2, $3, at, action, actor, target, locale, '{}', '{"interface":"management"}', '{}'
     FROM jsonb_to_recordset($4::jsonb) AS r (at timestamptz, action text, actor jsonb, target jsonb, locale text)`,
    [tenantId, projectId, environment?.id, JSON.stringify(rows)],
  );
}

const zones = ['UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Europe/Berlin'];

/** Writes records of these actions several times; each time they are counted or not, and `check` gets all of them. */
export async function checkAfterRecords(
  { desk, entryIds, actions }: { desk: Desk; entryIds: readonly string[]; actions: readonly string[] },
  check: (written: readonly MadeRecord[], timezone: string) => Promise<void>,
): Promise<void> {
  const record = fc.record<MadeRecord>({
    action: fc.constantFrom(...actions),
    minute: fc.integer({ min: 0, max: 20 * 24 * 60 }),
    actor: fc.integer({ min: 0, max: 2 }),
    entry: fc.integer({ min: 0, max: entryIds.length - 1 }),
    locale: fc.constantFrom('en', 'de', null),
  });
  const written: MadeRecord[] = [];
  const property = fc.asyncProperty(
    fc.array(record, { minLength: 20, maxLength: 60 }),
    fc.boolean(),
    fc.constantFrom(...zones),
    async (records, isCounted, timezone) => {
      await writeRecords(desk, records, entryIds);
      written.push(...records);
      if (isCounted) await desk.app.composition.jobs.sealAudit();
      await check(written, timezone);
    },
  );
  await fc.assert(property, { numRuns: 6 });
}

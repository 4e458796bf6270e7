import type { audit } from '../../../contracts/management/audit.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { AuditEvent } from '../../../contracts/resources/audit-event.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { cursorAt, positionOf } from './audit-cursor.js';
import { AuditEventRepository, type AuditRow } from './audit-event.repository.js';

/** A page of events; `nextCursor` is null on the last one. */
export interface AuditPage {
  data: AuditEvent[];
  meta: { limit: number; nextCursor: string | null };
}

const present = (row: AuditRow): AuditEvent => ({ ...row, at: row.at.toISOString() });

/**
 * Lists what happened in a project, the latest first.
 * @throws AppError 422 `validation_failed` for a cursor that is none
 */
export async function listAuditEvents(
  work: UnitOfWork,
  input: InputOf<typeof audit.listEvents>,
): Promise<AuditPage> {
  const { cursor, limit, projectSlug: _project, ...filters } = input;
  const query = { ...filters, after: positionOf(cursor), limit: limit + 1 };
  const rows = await work.use(AuditEventRepository).list(query);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = rows.length > limit && last !== undefined ? cursorAt(last) : null;
  return { data: page.map(present), meta: { limit, nextCursor } };
}

/** One page of the export; REST sends all of them. */
export function exportAuditEvents(
  work: UnitOfWork,
  input: InputOf<typeof audit.exportEvents>,
): Promise<AuditPage> {
  return listAuditEvents(work, input);
}

/** The documented stub (specification 4.3). */
export function listAuditLogs(): Promise<{ data: [] }> {
  return Promise.resolve({ data: [] });
}

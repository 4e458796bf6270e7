import type { audit } from '../../../contracts/management/audit.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { AuditEvent } from '../../../contracts/resources/audit-event.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { encodeCursor, decodeCursor } from './audit-cursor.js';
import { AuditEventRepository, type AuditRow } from './audit-event.repository.js';

/** `nextCursor` is null on the last page. */
export interface AuditPage {
  data: AuditEvent[];
  meta: { limit: number; nextCursor: string | null };
}

const present = (row: AuditRow): AuditEvent => ({ ...row, at: row.at.toISOString() });

/**
 * Latest first.
 * @throws AppError 422 `validation_failed` for an invalid cursor
 */
export async function listAuditEvents(
  work: UnitOfWork,
  input: InputOf<typeof audit.listEvents>,
): Promise<AuditPage> {
  const { cursor, limit, projectSlug: _project, ...filters } = input;
  const query = { ...filters, after: decodeCursor(cursor), limit: limit + 1 };
  const rows = await work.use(AuditEventRepository).list(query);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = rows.length > limit && last !== undefined ? encodeCursor(last) : null;
  return { data: page.map(present), meta: { limit, nextCursor } };
}

/** One page of the export; REST streams all of them. */
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

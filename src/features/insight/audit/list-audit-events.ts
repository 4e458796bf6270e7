import { invalidInput } from '../../../../contracts/errors.js';
import { type AuditPosition, AuditEventRepository, type AuditRow } from './audit-event.repository.js';
import type { audit } from '../../../../contracts/insight/audit/audit.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { AuditEvent } from '../../../../contracts/insight/audit/audit-event.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';

const FORM = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

function encodeCursor({ at, id }: AuditPosition): string {
  return Buffer.from(`${String(at.getTime())}.${id}`).toString('base64url');
}

/** @throws AppError 422 `validation_failed` for an invalid cursor */
function decodeCursor(cursor: string | undefined): AuditPosition | undefined {
  if (cursor === undefined) return undefined;
  const [, time, id] = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (time === undefined || id === undefined)
    throw invalidInput({
      path: ['cursor'],
      code: 'invalid_cursor',
      message: 'The cursor is invalid. Use nextCursor of the previous page.',
    });
  return { at: new Date(Number(time)), id };
}

/** `nextCursor` is null on the last page. */
interface AuditPage {
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

/** The documented stub (rule events/audit). */
export function listAuditLogs(): Promise<{ data: [] }> {
  return Promise.resolve({ data: [] });
}

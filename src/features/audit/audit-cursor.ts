import { invalidInput } from '../../../contracts/errors.js';
import type { AuditPosition } from './audit-event.repository.js';

const FORM = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function encodeCursor({ at, id }: AuditPosition): string {
  return Buffer.from(`${String(at.getTime())}.${id}`).toString('base64url');
}

/** @throws AppError 422 `validation_failed` for an invalid cursor */
export function decodeCursor(cursor: string | undefined): AuditPosition | undefined {
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

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalidInput, type AppError } from '../../../../contracts/errors.js';
import { canonicalJson } from '../../../content/exact-json/canonical-json.js';

/** Values of the sort keys of a row, its id last. */
export type Position = readonly string[];

/** The list that a cursor belongs to. Its pages may differ in size and in what they show of an entry. */
export interface CursorList {
  readonly name: string;
  readonly tenantId: string | null;
  readonly projectId: string | null;
  readonly environmentId: string | null;
  /** Filters and order. */
  readonly query: object;
}

export interface Cursor {
  readonly after: Position;
  /** Items before the page. */
  readonly passed: number;
  /** Items in the list when its first page was read. */
  readonly total: number;
}

const VERSION = 1;
/** GraphQL has no larger integers. */
const COUNT_MAXIMUM = 2_000_000_000;
const count = z.int().min(0).max(COUNT_MAXIMUM);
const keyValue = z.string().refine((value) => value.isWellFormed() && !value.includes('\u0000'));
const Payload = z.tuple([z.literal(VERSION), z.string(), count, count, z.array(keyValue).min(1).max(8)]);

export const invalidCursor = (): AppError =>
  invalidInput({
    path: ['cursor'],
    code: 'invalid_cursor',
    message: 'The cursor is invalid. Use nextCursor of the previous page, or * for the first page.',
  });

const otherList = (): AppError =>
  invalidInput({
    path: ['cursor'],
    code: 'invalid_cursor',
    message:
      'The cursor belongs to another list. Use the filters and the order of the page that returned it.',
  });

/** Distinguishes lists; it protects nothing, because a cursor only says after which values to continue. */
const fingerprint = (list: CursorList): string =>
  createHash('sha256').update(canonicalJson(list)).digest('base64url').slice(0, 16);

export function encodeCursor(list: CursorList, { after, passed, total }: Cursor): string {
  const payload = [VERSION, fingerprint(list), total, Math.min(passed, COUNT_MAXIMUM), after];
  return Buffer.from(JSON.stringify(payload)).toString('base64url');
}

function payloadOf(cursor: string): unknown {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.toString('base64url') !== cursor) throw invalidCursor();
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalidCursor();
  }
}

/** @throws AppError 422 `validation_failed` unless the cursor was returned by this list */
export function decodeCursor(list: CursorList, cursor: string): Cursor {
  const { data } = Payload.safeParse(payloadOf(cursor));
  if (data === undefined) throw invalidCursor();
  const [, of, total, passed, after] = data;
  if (of !== fingerprint(list)) throw otherList();
  return { after, passed, total };
}

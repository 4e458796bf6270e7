import type { ByteRange } from '../../infrastructure/storage/media-storage.js';

const SINGLE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * The range of a `Range` header. Undefined for one that is malformed or names several ranges: the whole file is sent
 * (RFC 9110 §14.2). Null if it lies outside the file.
 */
export function rangeOf(header: string, size: number): ByteRange | null | undefined {
  const found = SINGLE.exec(header.trim());
  if (found === null) return undefined;
  const [, first = '', last = ''] = found;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? null : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return null;
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

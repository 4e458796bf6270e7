import { describe, expect, it } from '@jest/globals';
import { isUuid, newId, newRequestId } from '../../src/infrastructure/ids.js';

describe('ids', () => {
  it('generates ascending, unique ids, even within one millisecond', () => {
    const ids = Array.from({ length: 10_000 }, () => newId());
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => isUuid(id))).toBe(true);
  });

  it('generates unique request ids of version 7', () => {
    const ids = Array.from({ length: 20_000 }, () => newRequestId());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !isUuid(id) || !/^.{14}7.{4}[89ab]/.test(id))).toEqual([]);
  });

  it('accepts ids in either case and in canonical form only', () => {
    const id = '0190a5e2-7c3b-7def-8abc-0123456789ab';
    expect(isUuid(id)).toBe(true);
    expect(isUuid(id.toUpperCase())).toBe(true);
    for (const wrong of ['', `{${id}}`, id.replaceAll('-', ''), `${id} `, `${id}\n`, id.replace('a', 'g')]) {
      expect(isUuid(wrong)).toBe(false);
    }
  });
});

import { expect, it } from '@jest/globals';
import { readAuditSearch } from './audit-search.js';

it('filters of the audit in an address are read as far as possible', () => {
  expect(readAuditSearch({ action: 7, interface: 'fax', from: 'x', to: '2026-01-01', other: 1 })).toEqual({
    action: '7',
    actorId: undefined,
    targetType: undefined,
    targetId: undefined,
    interface: undefined,
    from: undefined,
    to: '2026-01-01',
  });
});

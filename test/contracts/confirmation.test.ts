import { describe, expect, it } from '@jest/globals';
import { operations } from '../support/operations.js';

/**
 * Of these only some changes are confirmed: of published paths, of what others can read, and those that lose values
 * (rules content/conversions and access/confirmation).
 */
const partly = [
  ...[
    'entries.update',
    'entries.restoreVersion',
    'entries.restore',
    'entries.editText',
    'tree.updateNode',
    'tree.moveNode',
  ],
  ...['redirects.update', 'redirects.import', 'sites.update', 'media.update', 'ipAllowlist.set'],
  ...['workflows.update', 'webhooks.update', 'fields.update'],
];

describe('Every contract of management', () => {
  it('declares confirmation if it publishes, unpublishes, schedules, deletes, runs in bulk, loses values or changes an environment', () => {
    for (const { name, meta } of operations) {
      const { audience, action, confirmation, confirmsTarget, sessionOnly, events = [], openapi } = meta;
      const isCovered =
        audience === 'management' &&
        (openapi?.method === 'DELETE' ||
          confirmsTarget !== undefined ||
          ['publish', 'unpublish', 'any'].includes(action) ||
          partly.includes(name) ||
          (events.includes('entry.scheduled') && sessionOnly !== true));
      expect([name, confirmation !== undefined]).toEqual([name, isCovered]);
    }
  });
});

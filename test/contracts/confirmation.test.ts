import { describe, expect, it } from '@jest/globals';
import { operations } from '../support/operations.js';

describe('Every contract of management', () => {
  it('declares confirmation if it publishes, unpublishes, schedules, deletes, runs in bulk, loses values or changes an environment', () => {
    for (const { name, meta } of operations) {
      const { audience, action, confirmation, confirmsTarget, events = [], openapi } = meta;
      const isCovered =
        audience === 'management' &&
        (openapi?.method === 'DELETE' ||
          confirmsTarget !== undefined ||
          ['publish', 'unpublish', 'any'].includes(action) ||
          events.includes('entry.scheduled') ||
          name === 'fields.update');
      expect([name, confirmation !== undefined]).toEqual([name, isCovered]);
    }
  });
});

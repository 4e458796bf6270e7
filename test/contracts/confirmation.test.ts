import { describe, expect, it } from '@jest/globals';
import { operations } from '../support/operations.js';

describe('Every contract of management', () => {
  it('declares confirmation if it publishes, unpublishes, schedules, deletes or runs in bulk', () => {
    for (const { name, meta } of operations) {
      const { audience, action, confirmation, events = [], openapi } = meta;
      const isCovered =
        audience === 'management' &&
        (openapi?.method === 'DELETE' ||
          ['publish', 'unpublish', 'any'].includes(action) ||
          events.includes('entry.scheduled'));
      expect([name, confirmation !== undefined]).toEqual([name, isCovered]);
    }
  });
});

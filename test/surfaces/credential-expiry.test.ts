import { describe, expect, it } from '@jest/globals';
import type { LiveChannel } from '../../src/infrastructure/live-channel.js';
import { watchAccess } from '../../src/surfaces/http/event-stream.js';
import { verifies } from '../support/verifies.js';

describe('The expiry of a credential', () => {
  verifies('access/open-streams');

  it('is awaited again when a timer ends before its time', async () => {
    const left = [5, 3, 0];
    const seen: number[] = [];
    await new Promise<void>((resolve) => {
      watchAccess(
        { listen: () => () => undefined } as unknown as LiveChannel,
        {
          ids: [],
          expiresInMs: () => {
            const next = left.shift() ?? 0;
            seen.push(next);
            return next;
          },
        },
        resolve,
      );
    });
    expect(seen).toEqual([5, 3, 0]);
  });

  it('is no longer awaited when the stream has ended', async () => {
    let checks = 0;
    const stop = watchAccess(
      { listen: () => () => undefined } as unknown as LiveChannel,
      { ids: [], expiresInMs: () => 5 },
      () => {
        checks += 1;
      },
    );
    stop();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(checks).toBe(0);
  });
});

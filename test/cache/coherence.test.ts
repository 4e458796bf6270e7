import { beforeEach, describe, expect, it } from '@jest/globals';
import { Coherence } from '../../src/infrastructure/coherence.js';
import { TaggedCache } from '../../src/infrastructure/tagged-cache.js';

let coherence: Coherence;
let cache: TaggedCache<{ readonly title: string }>;

beforeEach(() => {
  coherence = new Coherence();
  coherence.onHeartbeat(Infinity);
  cache = new TaggedCache(coherence, 1_000_000);
});

/** Caches a read; the tag is the key. */
function remember(key: string): boolean {
  const fill = coherence.begin();
  if (fill === undefined) throw new Error('the database is not heard');
  const isKept = cache.store(key, { title: key }, { fill, tags: [key], bytes: 10 });
  coherence.end();
  return isKept;
}

describe('a write of this process', () => {
  it("keeps what was cached after the process's own write when its notification arrives", () => {
    const mark = coherence.newMark();
    remember('e:1');
    coherence.onCommit(mark, ' e:1 l:2');
    expect(cache.get('e:1')).toBeUndefined();
    remember('e:1');
    coherence.onNotification(`${mark} e:1`);
    coherence.onNotification(`${mark} l:2`);
    expect(cache.get('e:1')).toBeDefined();
  });

  it('does not cache a read that started before a commit', () => {
    const fill = coherence.begin();
    if (fill === undefined) throw new Error('the database is not heard');
    coherence.onCommit(coherence.newMark(), ' e:1');
    expect(cache.store('e:1', { title: 'old' }, { fill, tags: ['e:1'], bytes: 10 })).toBe(false);
  });

  it("purges on a notification that precedes its commit's reply, and on one whose commit is never confirmed", () => {
    const mark = coherence.newMark();
    remember('e:1');
    coherence.onNotification(`${mark} e:1`);
    expect(cache.get('e:1')).toBeUndefined();
    remember('e:1');
    coherence.onCommit(mark, ' e:1');
    expect(cache.get('e:1')).toBeUndefined();
  });

  it('purges the tags that a notification adds to those known at the commit', () => {
    const mark = coherence.newMark();
    coherence.onCommit(mark, ' e:1');
    remember('e:1');
    remember('e:2');
    coherence.onNotification(`${mark} e:1 e:2`);
    expect([cache.get('e:1')?.title, cache.get('e:2')]).toEqual(['e:1', undefined]);
  });

  it('purges again on the notification of a write that is no longer tracked', () => {
    const mark = coherence.newMark();
    coherence.onCommit(mark, ' e:1');
    const many = Array.from({ length: 1000 }, (_, n) => `e:other${n}`).join(' ');
    for (let n = 0; n < 60; n += 1) coherence.onCommit(coherence.newMark(), many);
    remember('e:1');
    coherence.onNotification(`${mark} e:1`);
    expect(cache.get('e:1')).toBeUndefined();
  });
});

describe('a write by another process', () => {
  it('purges on a notification of another process, whatever its mark', () => {
    const elsewhere = new Coherence().newMark();
    coherence.onCommit(coherence.newMark(), ' e:1');
    for (const message of [`${elsewhere} e:1`, ' e:1', 'e:1 e:2']) {
      remember('e:1');
      coherence.onNotification(message);
      expect(cache.get('e:1')).toBeUndefined();
    }
  });
});

import { describe, expect, it } from '@jest/globals';
import { conflictOf, settled } from './conflict.js';
import { draftOf, isChanged, withField, withSlug } from './draft.js';

const content = (fields: Record<string, unknown>, slug = 'a') => ({ slug, fields });

describe('A conflict', () => {
  const changed = (field: string, base: unknown, current: unknown) => ({ field, base, current });
  const details = {
    currentVersion: 4,
    updatedBy: { name: 'Ada' },
    changedFields: [
      changed('title', 'One', 'Theirs'),
      changed('_slug', 'a', 'theirs'),
      changed('count', 1, 2),
      changed('note', null, 'same'),
    ],
  };
  const draft = draftOf(content({ title: 'One', count: 1, note: null }));
  const typed = withSlug(withField(withField(draft, 'title', 'Mine'), 'note', 'same'), 'mine');
  const conflict = conflictOf(
    { code: 'version_conflict', message: '', problem: '', issues: [], details },
    typed,
  );

  it('is about the fields that both changed to different values', () => {
    expect(conflict.disputed.map(({ field }) => field)).toEqual(['title', '_slug']);
    expect([conflict.others, conflict.updatedBy, conflict.currentVersion]).toEqual([
      ['count', 'note'],
      'Ada',
      4,
    ]);
  });

  it('is settled with the chosen values on top of the current version', () => {
    const mine = withSlug(withField(draftOf(content({ title: 'One', count: 1 })), 'title', 'Mine'), 'mine');
    const current = content({ title: 'Theirs', count: 2 }, 'theirs');
    expect(settled(mine, current, ['_slug']).now).toEqual(content({ title: 'Mine', count: 2 }, 'theirs'));
    expect(isChanged(settled(mine, current, ['title', '_slug']))).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import { changedFields, draftOf, isChanged, rebased, withField, withSlug, withTakenBack } from './draft.js';

const content = (fields: Record<string, unknown>, slug = 'a') => ({ slug, fields });

describe('A draft', () => {
  it('has the values that differ from the saved ones; a cleared value equals a missing one', () => {
    const draft = draftOf(content({ title: 'One', tags: ['x'] }));
    expect(isChanged(withField(draft, 'note', null))).toBe(false);
    expect(isChanged(withField(draft, 'tags', ['x']))).toBe(false);
    expect(changedFields(withField(withField(draft, 'title', undefined), 'note', 1))).toEqual({
      title: null,
      note: 1,
    });
    expect(isChanged(withSlug(draft, 'b'))).toBe(true);
  });

  it('keeps what was typed while it was saved, and takes what the service made of the rest', () => {
    const sent = withField(draftOf(content({ title: 'One', count: 1 })), 'title', ' Two ');
    const typed = withField(sent, 'count', 5);
    const after = rebased({ base: sent.now, now: typed.now }, content({ title: 'Two', count: 1 }, 'two'));
    expect(after.now).toEqual(content({ title: 'Two', count: 5 }, 'two'));
    expect(changedFields(after)).toEqual({ count: 5 });
  });

  it('gets replaced values back, unless they were typed over since', () => {
    const before = content({ title: 'One', body: 'Old' });
    const after = content({ title: 'Eins', body: 'Alt', note: 'Neu' });
    const typed = withField(draftOf(after), 'body', 'Typed since');
    expect(withTakenBack(typed, before, after).now).toEqual(
      content({ title: 'One', body: 'Typed since', note: null }),
    );
    expect(withTakenBack(draftOf({ ...after, slug: 'b' }), before, after).now.slug).toBe('b');
  });
});

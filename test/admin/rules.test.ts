import { describe, expect, it } from '@jest/globals';
import { Node } from 'prosemirror-model';
import { conflictOf, settled } from '../../src/admin/editor/conflict.js';
import {
  changedFields,
  draftOf,
  isChanged,
  rebased,
  withField,
  withSlug,
} from '../../src/admin/editor/draft.js';
import { problemsOf } from '../../src/admin/editor/problems.js';
import { readListSearch } from '../../src/admin/entries/list-search.js';
import { editorSchema } from '../../src/admin/rich-text/editor-state.js';
import { de } from '../../src/admin/texts/de/index.js';
import { en } from '../../src/admin/texts/en/index.js';
import { richTextSchema } from '../../src/content/rich-text/schema.js';

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
});

describe('A conflict', () => {
  const changed = (field: string, base: unknown, current: unknown, yours: unknown) => ({
    field,
    base,
    current,
    yours,
  });
  const details = {
    currentVersion: 4,
    updatedBy: { name: 'Ada' },
    changedFields: [
      changed('title', 'One', 'Theirs', 'Mine'),
      changed('_slug', 'a', 'theirs', 'mine'),
      changed('count', 1, 2, 1),
      changed('note', null, 'same', 'same'),
    ],
  };
  const conflict = conflictOf({ code: 'version_conflict', message: '', issues: [], details });

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

it('messages are shown at their field, with the place inside it', () => {
  const issue = (...path: (string | number)[]) => ({ path, code: 'invalid', message: 'Wrong.' });
  const problems = problemsOf([
    issue('fields', 'title'),
    issue('fields', 'parts', 1, 'fields', 'name'),
    issue('slug'),
  ]);
  expect(Object.fromEntries(problems)).toEqual({
    title: ['Wrong.'],
    parts: ['2 · name: Wrong.'],
    _slug: ['Wrong.'],
  });
});

it('addresses with unknown or malformed filters are read as far as possible', () => {
  const search = readListSearch({ type: 'article', status: 'gone', locale: 7, q: 2026, other: 'x' });
  expect(search).toEqual({
    type: 'article',
    site: undefined,
    locale: undefined,
    status: undefined,
    q: '2026',
  });
});

describe('Rich text', () => {
  it('has the nodes, marks and attributes of the service, each with a view', () => {
    const shape = ({ nodes, marks }: typeof editorSchema) =>
      Object.values({ ...nodes, ...marks }).map(({ name, spec }) => [name, Object.keys(spec.attrs ?? {})]);
    expect(shape(editorSchema)).toEqual(shape(richTextSchema));
    const specs = Object.values({ ...editorSchema.nodes, ...editorSchema.marks });
    const unseen = specs.filter(
      ({ name, spec }) => spec.toDOM === undefined && name !== 'doc' && name !== 'text',
    );
    expect(unseen.map(({ name }) => name)).toEqual([]);
  });

  it('keeps documents in both spellings as they are', () => {
    const text = [{ type: 'text', text: 'Lock', marks: [{ type: 'strong' }, { type: 'bold' }] }];
    const paragraph = { type: 'paragraph', content: text };
    const list = { type: 'bullet_list', content: [{ type: 'list_item', content: [paragraph] }] };
    const cell = { type: 'tableCell', attrs: { colspan: 2, rowspan: 1 }, content: [paragraph] };
    const table = { type: 'table', content: [{ type: 'tableRow', content: [cell] }] };
    const document = { type: 'doc', content: [paragraph, list, table, { type: 'horizontalRule' }] };
    const node = Node.fromJSON(editorSchema, document);
    expect(node.toJSON()).toEqual(Node.fromJSON(richTextSchema, document).toJSON());
    expect(node.toJSON()).toMatchObject({ content: [{}, { type: 'bullet_list' }, {}, {}] });
  });
});

it('German has every text with the same values', () => {
  const valuesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).sort();
  const keys = Object.keys(en) as (keyof typeof en)[];
  expect(keys.filter((key) => valuesIn(en[key]).join() !== valuesIn(de[key]).join())).toEqual([]);
  expect(Object.keys(de)).toHaveLength(keys.length);
});

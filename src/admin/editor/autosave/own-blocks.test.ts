import { describe, expect, it } from '@jest/globals';
import type { ContentType } from '../../api/project-data.js';
import { keptChanges, withKept, type KeptDraft } from './kept-changes.js';
import { hasLocalizedValues, withLocalizedValues } from '../localized-blocks.js';
import { sentFields, sentValues } from '../sent-fields.js';
import { conflictOf, settled } from '../conflict.js';
import { draftOf, isChanged, rebased, withField } from '../draft.js';
import { problemsOf } from '../problems.js';
import { plainPath, rootOf, valueAt } from '../paths.js';

const field = (apiName: string, type: string, localized = true) => ({
  apiName,
  type,
  localized,
  settings: {},
});
const type = (apiName: string, isBlock: boolean, fields: object[]) =>
  ({ apiName, isBlock, fields }) as unknown as ContentType;

const quote = type('quote', true, [field('words', 'text'), field('speaker', 'text', false)]);
const group = type('group', true, [field('title', 'text'), field('items', 'blocks', false)]);
const page = type('page', false, [
  field('title', 'text'),
  field('parts', 'blocks', false),
  field('data', 'json'),
]);
const project = { types: [quote, group, page] };

const block = (_ref: string, fields: Record<string, unknown>, _type = 'quote') => ({ _ref, _type, fields });
const content = (...parts: unknown[]) => ({ slug: 'a', fields: { title: 'Page', parts } });
const shared = { _ref: 's', _type: 'quote' };
const [one, two] = [block('1', { words: 'One' }), block('2', { words: 'Two' })];
const typing = (base: unknown[], now: unknown) => withField(draftOf(content(...base)), 'parts', now);

describe('A call that saves blocks', () => {
  it('sends of stored blocks what was changed in them, and null for what was cleared', () => {
    const stored = block('1', { words: 'One', speaker: 'Ada' });
    const draft = typing([stored, two, shared], [shared, block('1', { words: 'Other' }), two]);
    expect(sentFields(project, page, draft)).toEqual({
      parts: [
        shared,
        { _ref: '1', _type: 'quote', fields: { words: 'Other', speaker: null } },
        { _ref: '2', _type: 'quote', fields: {} },
      ],
    });
  });

  it('names a new block by the id that the form gave it, and one that was changed before by the same', () => {
    const added = block('3', { title: 'Group', items: [block('4', { words: 'Inside' })] }, 'group');
    const draft = typing([one], [one, added]);
    const inside = { _id: '4', _type: 'quote', fields: { words: 'Inside' } };
    const sent = { _id: '3', _type: 'group', fields: { title: 'Group', items: [inside] } };
    expect(sentFields(project, page, draft).parts).toEqual([{ _ref: '1', _type: 'quote', fields: {} }, sent]);
    expect(sentValues(project, page, { parts: [added] })).toEqual({ parts: [sent] });
    const saved = rebased({ base: draft.now, now: draft.now }, draft.now);
    expect(isChanged(saved)).toBe(false);
    const more = block('3', { title: 'Group', items: [block('4', { words: 'More' })] }, 'group');
    expect(sentFields(project, page, withField(saved, 'parts', [one, more])).parts).toEqual([
      { _ref: '1', _type: 'quote', fields: {} },
      {
        _ref: '3',
        _type: 'group',
        fields: { items: [{ _ref: '4', _type: 'quote', fields: { words: 'More' } }] },
      },
    ]);
  });

  it('sends values of other kinds that look like blocks as they are', () => {
    const draft = withField(draftOf(content()), 'data', [one]);
    expect(sentFields(project, page, draft)).toEqual({ data: [one] });
  });
});

describe('Typing in blocks', () => {
  it('goes on top of what others have saved since, by field of each block', () => {
    const typed = typing([one, two], [block('1', { words: 'Typed' }), two]);
    const saved = content(block('2', { words: 'Theirs' }), block('1', { words: 'One', speaker: 'Eve' }));
    expect(rebased(typed, saved).now.fields.parts).toEqual([
      block('2', { words: 'Theirs' }),
      block('1', { words: 'Typed', speaker: 'Eve' }),
    ]);
  });

  it('keeps blocks that were added and moved while a draft was saved', () => {
    const sent = content(one, two);
    const added = block('3', { words: 'Three' });
    const now = content(two, added, one);
    expect(rebased({ base: sent, now }, sent).now).toEqual(now);
  });

  it('keeps a block in which something was typed and that someone else has removed since', () => {
    const typed = typing([one, two], [block('1', { words: 'Typed' }), two]);
    const kept = rebased(typed, content(two));
    expect(kept.now).toEqual(typed.now);
    expect(sentFields(project, page, kept).parts).toEqual([
      { _id: '1', _type: 'quote', fields: { words: 'Typed' } },
      { _ref: '2', _type: 'quote', fields: {} },
    ]);
    expect(rebased(typed, content(two), new Set(['parts'])).now).toEqual(content(two));
    const other = typing([one, two], [one, block('2', { words: 'Typed' })]);
    expect(rebased(other, content(two)).now).toEqual(content(block('2', { words: 'Typed' })));
  });
});

describe('A conflict in blocks', () => {
  const conflictIn = (draft: Parameters<typeof conflictOf>[1], ...changedFields: object[]) => {
    const details = { currentVersion: 4, updatedBy: { name: 'Ada' }, changedFields };
    return conflictOf({ code: 'version_conflict', message: '', problem: '', issues: [], details }, draft);
  };

  it('is about the field of the block that both changed, and is settled there alone', () => {
    const typed = typing([one, two], [block('1', { words: 'Mine' }), block('2', { words: 'Mine too' })]);
    const field = 'parts[1].words';
    const conflict = conflictIn(typed, { field, base: 'One', current: 'Theirs' });
    expect(conflict.disputed).toEqual([
      { field, base: 'One', current: 'Theirs', yours: 'Mine', isRemoved: false },
    ]);
    const saved = content(block('1', { words: 'Theirs' }), two);
    expect(settled(typed, saved, [field]).now).toEqual(
      content(block('1', { words: 'Theirs' }), block('2', { words: 'Mine too' })),
    );
    expect(settled(typed, saved, []).now).toEqual(typed.now);
  });

  it('is about the list where both moved blocks, not where one typed in a block and the other moved it', () => {
    const theirs = { field: 'parts', base: [one, two], current: [two, one] };
    const typed = typing([one, two], [block('1', { words: 'Mine' }), two]);
    expect(conflictIn(typed, theirs)).toMatchObject({ disputed: [], others: ['parts'] });
    const moved = typing([one, two], [one, two, block('3', {})]);
    expect(conflictIn(moved, theirs).disputed.map(({ field }) => field)).toEqual(['parts']);
    expect(settled(moved, content(two, one), ['parts']).now).toEqual(content(two, one));
    expect(settled(moved, content(two, one), []).now).toEqual(moved.now);
  });

  it('is about a block that one removed and the other changed', () => {
    const removed = typing([one, two], [two]);
    const field = 'parts[1].words';
    const [disputed] = conflictIn(removed, { field, base: 'One', current: 'Theirs' }).disputed;
    expect(disputed).toMatchObject({ field, isRemoved: true });
    const saved = content(block('1', { words: 'Theirs' }), two);
    expect(settled(removed, saved, [field]).now).toEqual(saved);
    expect(settled(removed, saved, []).now).toEqual(content(two));
    const typed = typing([one, two], [block('1', { words: 'Mine' }), two]);
    const gone = conflictIn(typed, { field: 'parts', base: [one, two], current: [two] });
    expect(gone.disputed.map((one) => one.field)).toEqual(['parts']);
  });
});

it('problems are shown at the field inside its block, which keeps them when it is moved', () => {
  const issue = (...path: (string | number)[]) => ({ path, code: 'invalid', message: 'Wrong.' });
  const nested = block('3', { items: [shared, block('4', {})] }, 'group');
  const { fields } = content(one, nested, shared);
  const problems = problemsOf(
    [
      issue('fields', 'parts', 0, 'fields', 'words'),
      issue('fields', 'parts', 1, 'fields', 'items', 1, 'fields', 'words', 2),
      issue('fields', 'parts', 1, '_type'),
      issue('fields', 'parts', 2, '_ref'),
      issue('fields', 'parts'),
    ],
    fields,
  );
  expect(Object.fromEntries(problems)).toEqual({
    'parts[1].words': ['Wrong.'],
    'parts[3].items[4].words': ['3: Wrong.'],
    'parts[3]': ['Wrong.'],
    'parts[#2]': ['_ref: Wrong.'],
    parts: ['Wrong.'],
  });
});

it('a kept draft is recovered by field of each block, and says where others changed the same', () => {
  const kept: KeptDraft = {
    version: 1,
    at: '',
    base: content(one, two),
    fields: { parts: [block('1', { words: 'Kept' }), block('2', { words: 'Kept too' })] },
  };
  const saved = content(two, block('1', { words: 'Theirs', speaker: 'Eve' }));
  expect(keptChanges(kept, saved)).toEqual([
    { path: 'parts[2].words', from: 'Two', to: 'Kept too', isDisputed: false },
    { path: 'parts[1].words', from: 'Theirs', to: 'Kept', isDisputed: true },
  ]);
  expect(withKept(draftOf(saved), kept).now).toEqual(
    content(block('2', { words: 'Kept too' }), block('1', { words: 'Kept', speaker: 'Eve' })),
  );
});

describe('Blocks of a list that all locales share', () => {
  const list = { localized: false };
  const inEnglish = [
    block('1', { words: 'Water', speaker: 'Ada' }),
    block('3', { title: 'Group', items: [block('4', { words: 'Inside' })] }, 'group'),
  ];
  const inGerman = [
    block('1', { speaker: 'Ada' }),
    block('3', { items: [block('4', { words: 'Innen' })] }, 'group'),
    block('5', { words: 'Neu' }),
  ];

  it('have values of each locale on any level, or none', () => {
    const values = (...items: unknown[]) => hasLocalizedValues(project, list, items);
    expect([values(...inEnglish), values(shared), values()]).toEqual([true, false, false]);
    const still = type('still', true, [field('height', 'number', false)]);
    expect(hasLocalizedValues({ types: [still] }, list, [block('1', {}, 'still')])).toBe(false);
    expect(hasLocalizedValues(project, { localized: true }, [])).toBe(true);
  });

  it('take the localized values of another locale where both have the block', () => {
    expect(withLocalizedValues(project, inEnglish, inGerman)).toEqual([...inEnglish, inGerman[2]]);
  });
});

it('paths lead into blocks, and are shown without ids where the entry is not at hand', () => {
  const id = '01a21a73-e487-773c-878c-08cdfd373154';
  const path = `parts[${id}].items[4].words`;
  const values = { parts: [block(id, { items: [shared, block('4', { words: 'Inside' })] }, 'group')] };
  expect(valueAt(values, path)).toEqual({ isThere: true, value: 'Inside' });
  expect(valueAt(values, `parts[${id}].items[5].words`)).toEqual({ isThere: false, value: undefined });
  expect(rootOf(path)).toBe('parts');
  expect(plainPath(`parts[${id}].items[${id}].words`)).toBe('parts › items › words');
  expect([plainPath(`parts[${id}]`), plainPath('fields[0].name')]).toEqual(['parts', 'fields[0].name']);
});

describe('A group, which is one object', () => {
  const seo = {
    ...field('seo', 'blocks', false),
    settings: { shape: 'group' },
    validations: { maxItems: 1 },
  };
  const product = type('product', false, [seo]);
  const own = { types: [quote, product] };
  const draft = (base: unknown, now: unknown) =>
    withField(draftOf({ slug: 'a', fields: { seo: base } }), 'seo', now);

  it('is sent with what was changed in it, or under the id that the form gave it', () => {
    expect(sentFields(own, product, draft(one, block('1', { words: 'Other' })))).toEqual({
      seo: { _ref: '1', _type: 'quote', fields: { words: 'Other' } },
    });
    expect(sentFields(own, product, draft(null, one))).toEqual({
      seo: { _id: '1', _type: 'quote', fields: { words: 'One' } },
    });
    expect(sentFields(own, product, draft(one, null))).toEqual({ seo: null });
  });

  it('is merged and settled by field, and keeps its problems', () => {
    const typed = draft(one, block('1', { words: 'Typed' }));
    const saved = { slug: 'a', fields: { seo: block('1', { words: 'Theirs', speaker: 'Eve' }) } };
    expect(rebased(typed, saved).now.fields.seo).toEqual(block('1', { words: 'Typed', speaker: 'Eve' }));
    expect(settled(typed, saved, ['seo[1].words']).now).toEqual(saved);
    const issue = { path: ['fields', 'seo', 0, 'fields', 'words'], code: 'required', message: 'Missing.' };
    expect([...problemsOf([issue], typed.now.fields)]).toEqual([['seo[1].words', ['Missing.']]]);
  });

  it('has values of each locale, which are copied into it', () => {
    expect(hasLocalizedValues(own, { localized: false }, one)).toBe(true);
    const copied = withLocalizedValues(own, block('1', { words: 'Wasser' }), block('1', { speaker: 'Ada' }));
    expect(copied).toEqual(block('1', { words: 'Wasser', speaker: 'Ada' }));
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  editable,
  partsOf,
  peopleOf,
  storedFrom,
  typingAt,
} from '../../src/admin/editor/comments/mentions.js';
import { threadsOf, threadWith, type Comment } from '../../src/admin/editor/comments/threads.js';
import { missingFor } from '../../src/admin/editor/workflow/entry-workflow.js';
import { possibleSteps } from '../../src/admin/entries/possible-steps.js';
import { rangeAfter } from '../../src/admin/fields/selected-text.js';
import { keyFrom, newState, renamed } from '../../src/admin/structure/workflows/workflow-parts.js';

const ids = [1, 2, 3].map((number) => `019a3b5e-7c1a-7f00-8000-3f1d2c4b5a0${String(number)}`);
const [ann = '', anna = '', other = ''] = ids;
const people = [
  { id: ann, label: 'Ann' },
  { id: anna, label: 'Anna Lee' },
];

describe('A mention', () => {
  it('is stored with the id of the longest name, and is edited with the name', () => {
    const stored = `@[${ann}], see @[${anna}].`;
    expect(storedFrom('@Ann, see @Anna Lee.', people)).toBe(stored);
    expect(editable(stored, people)).toBe('@Ann, see @Anna Lee.');
    expect(storedFrom('@Annabel and a@b.example', people)).toBe('@Annabel and a@b.example');
  });

  it('of someone unknown keeps its id when it is edited, and is shown without it', () => {
    expect(editable(`Hi @[${other}]`, people)).toBe(`Hi @[${other}]`);
    expect(partsOf(`Hi @[${other}]!`, people, 'unknown')).toEqual([
      { text: 'Hi ', isMention: false },
      { text: '@unknown', isMention: true },
      { text: '!', isMention: false },
    ]);
  });

  it('is completed at the start of any word of a name', () => {
    expect(typingAt('Ask @le', 7, people)?.matches).toEqual([people[1]]);
    expect(typingAt('Ask @', 5, people)?.matches).toHaveLength(2);
    expect(typingAt('a@an', 4, people)).toBeUndefined();
    expect(typingAt('@Ann ', 5, people)).toBeUndefined();
  });

  it('distinguishes members of the same name', () => {
    const named = [
      { id: ann, name: 'Ann', email: 'ann@example.com' },
      { id: anna, name: 'Ann', email: 'other@example.com' },
      { id: other, name: 'Bo', email: 'bo@example.com' },
    ];
    expect(peopleOf(named).map(({ label }) => label)).toEqual([
      'Ann (ann@example.com)',
      'Ann (other@example.com)',
      'Bo',
    ]);
  });
});

describe('A range of a string', () => {
  it('follows a change before it, keeps one within it, and ends with its words', () => {
    const range = { from: 4, to: 8 };
    expect(rangeAfter('The lock opens', 'The upper lock opens', range)).toEqual({ from: 10, to: 14 });
    expect(rangeAfter('The lock opens', 'The loooock opens', range)).toEqual({ from: 4, to: 11 });
    expect(rangeAfter('The lock opens', 'The lock closes', range)).toEqual(range);
    expect(rangeAfter('The lock opens', 'The  opens', range)).toBeUndefined();
    expect(rangeAfter('same', 'same', { from: 0, to: 4 })).toEqual({ from: 0, to: 4 });
  });
});

it('comments are threads with their replies, found by any of them', () => {
  const comment = (id: string, parentId: string | null) => ({ id, parentId }) as Comment;
  const threads = threadsOf([comment('a', null), comment('b', null), comment('c', 'a')]);
  expect(threads.map(({ first, replies }) => [first.id, replies.map(({ id }) => id)])).toEqual([
    ['a', ['c']],
    ['b', []],
  ]);
  expect(threadWith(threads, 'c')?.first.id).toBe('a');
});

it('a transition without what it needs is not sent', () => {
  const transition = {
    ...{ to: 'review', name: 'Submit', requiredApprovals: 0 },
    ...{ requireComment: true, requireAssignee: true },
  };
  const workflow = { assigneeId: null } as Parameters<typeof missingFor>[1];
  const missing = (comment: string, assigneeId?: string | null) =>
    missingFor(transition, workflow, { comment, assigneeId });
  expect([missing(' '), missing('x'), missing('x', null), missing('x', ann)]).toEqual([
    'comment',
    'assignee',
    'assignee',
    undefined,
  ]);
});

it('the states that several entries can enter are counted over their workflows', () => {
  const workflow = (slug: string) => ({
    slug,
    states: [
      { ...newState, key: 'draft', name: 'Draft' },
      { ...newState, key: 'done', name: slug === 'a' ? 'Done' : 'Finished' },
    ],
    transitions: [{ from: 'draft', to: 'done', requireComment: slug === 'b' }],
  });
  const entry = (slug: string, state: string) => ({ workflow: { slug, state } });
  const workflows = [workflow('a'), workflow('b')] as unknown as Parameters<typeof possibleSteps>[1];
  const entries = [entry('a', 'draft'), entry('b', 'draft'), entry('a', 'done'), { workflow: null }];
  expect(possibleSteps(entries, workflows)).toEqual([
    { to: 'done', name: 'Done, Finished', count: 2, needsComment: true },
  ]);
});

it('the key of a new state follows its name until another one is typed', () => {
  expect(keyFrom('1. In Review!')).toBe('in_review');
  const state = renamed(newState, 'In review', true);
  expect([state.key, renamed({ ...state, key: 'own' }, 'Other', true).key]).toEqual(['in_review', 'own']);
  expect(renamed(state, 'Other', false).key).toBe('in_review');
});

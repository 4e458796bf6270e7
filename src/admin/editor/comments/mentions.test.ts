import { describe, expect, it } from '@jest/globals';
import { editable, partsOf, peopleOf, storedFrom, typingAt } from './mentions.js';

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

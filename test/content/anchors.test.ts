import { describe, expect, it } from '@jest/globals';
import { anchoredText, quoteOf } from '../../src/content/anchors/anchored-text.js';
import { mapRanges } from '../../src/content/anchors/map-ranges.js';
import { fc } from '../support/properties.js';
import { verifies } from '../support/verifies.js';

const paragraph = (...texts: string[]) => ({
  type: 'paragraph',
  content: texts.filter((text) => text !== '').map((text) => ({ type: 'text', text })),
});
const doc = (...content: object[]) => ({ type: 'doc', content });
const mapped = (before: unknown, after: unknown, from: number, to: number) =>
  mapRanges(before, after, [{ from, to }])[0];

/** The range of a quote in a value. */
function rangeOf(value: unknown, quote: string) {
  const { text, positions } = anchoredText(value);
  const start = text.indexOf(quote);
  const at = (index: number) => positions?.[index] ?? index;
  return { from: at(start), to: at(start + quote.length - 1) + 1 };
}

function quoted(before: unknown, after: unknown, quote: string): string | null {
  const [range] = mapRanges(before, after, [rangeOf(before, quote)]);
  return range ? quoteOf(anchoredText(after), range) : null;
}

describe('An anchor in plain text', () => {
  verifies('entries/comment-anchors');

  it.each([
    ['moves with text before it', 'The lock opens.', 'At dawn the lock opens.', 'opens', 'opens'],
    ['stays when text after it changes', 'The lock opens.', 'The lock closes again.', 'The lock', 'The lock'],
    [
      'includes what is inserted within',
      'The lock opens.',
      'The upper lock opens.',
      'The lock',
      'The upper lock',
    ],
    ['excludes what is inserted at its edges', 'a lock b', 'a big lock now b', 'lock', 'lock'],
    ['keeps a corrected word', 'We recieve it', 'We receive it', 'recieve', 'receive'],
    ['shrinks to what is left', 'one two three', 'one three', 'two three', 'three'],
    ['loses a replaced word', 'a cat sleeps', 'a cow sleeps', 'cat', null],
    ['loses deleted text', 'one two three', 'one three', 'two', null],
    ['follows characters beyond the basic plane', 'a😀b', 'xx a😀b', '😀', '😀'],
    ['follows scripts without spaces', '東京都の水門', '大きな東京都の青い水門', '水門', '水門'],
  ])('%s', (...[, before, after, quote, expected]) => {
    expect(quoted(before, after, quote)).toBe(expected);
  });

  it('is gone with the value', () => {
    expect(mapped('one', undefined, 0, 3)).toBeNull();
    expect(mapped('one', '', 0, 3)).toBeNull();
  });

  it('is found again in text that is too different to compare, if its quote is there once', () => {
    const words = (prefix: string) =>
      Array.from({ length: 2000 }, (_, index) => `${prefix}${index}`).join(' ');
    const before = `${words('a')} the only lock ${words('b')}`;
    const after = `${words('c')} the only lock ${words('d')}`;
    expect(quoted(before, after, 'the only lock')).toBe('the only lock');
    expect(quoted(before, `${after} the only lock ${words('e')}`, 'the only lock')).toBeNull();
    expect(quoted(before, after, 'a7 ')).toBeNull();
  });
});

describe('An anchor in rich text', () => {
  verifies('entries/comment-anchors');

  it('has positions of ProseMirror and follows its text through changes of structure', () => {
    const before = doc(paragraph('The upper lock'), paragraph('It opens at dawn'));
    expect(rangeOf(before, 'opens')).toEqual({ from: 20, to: 25 });
    const list = {
      type: 'bulletList',
      content: [{ type: 'listItem', content: [paragraph('It op', 'ens')] }],
    };
    const after = doc(paragraph('The lock'), list);
    expect(mapRanges(before, after, [rangeOf(before, 'opens')])).toEqual([{ from: 16, to: 21 }]);
    expect(quoted(before, after, 'upper')).toBeNull();
  });

  it('spans blocks, whose quote has a line each', () => {
    const before = doc(paragraph('one two'), paragraph('three four'));
    const after = doc(paragraph('one two'), paragraph('and'), paragraph('three four'));
    expect(quoteOf(anchoredText(before), { from: 5, to: 15 })).toBe('two\nthree');
    expect(mapped(before, after, 5, 15)).toEqual({ from: 5, to: 20 });
  });

  it('tells embedded assets apart', () => {
    const embed = (assetId: string) => ({ type: 'assetEmbed', attrs: { assetId } });
    const [one, two] = ['019a3b5e-7c1a-7f00-8000-3f1d2c4b5a01', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a02'];
    const before = doc(paragraph('a'), embed(one), paragraph('b'));
    expect(mapped(before, doc(embed(two), embed(one)), 3, 4)).toEqual({ from: 1, to: 2 });
    expect(mapped(before, doc(paragraph('a'), embed(two), paragraph('b')), 3, 4)).toBeNull();
  });
});

/** A text as a list of blocks, in which every unit has its own identity. */
type Blocks = readonly (readonly string[])[];

interface Edit {
  readonly kind: 'insert' | 'remove' | 'split' | 'join';
  readonly at: number;
  readonly count: number;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('insert', 'remove', 'split', 'join'),
  at: fc.nat(60),
  count: fc.integer({ min: 1, max: 6 }),
});

/** Characters of a script without spaces: each is a token, and none occurs twice. */
class Author {
  #next = 0x4e00;

  write(count: number): string[] {
    return Array.from({ length: count }, () => String.fromCodePoint(this.#next++));
  }

  apply(blocks: Blocks, { kind, at, count }: Edit): Blocks {
    const index = at % blocks.length;
    const block = blocks[index] ?? [];
    const cut = at % (block.length + 1);
    const [head, tail] = [block.slice(0, cut), block.slice(cut)];
    const others = (...replaced: (readonly string[])[]): Blocks => [
      ...blocks.slice(0, index),
      ...replaced,
      ...blocks.slice(index + 1),
    ];
    if (kind === 'insert') return others([...head, ...this.write(count), ...tail]);
    if (kind === 'remove') return others([...head, ...tail.slice(count)]);
    if (kind === 'split') return others(head, tail);
    const joined = [...block, ...(blocks[index + 1] ?? [])];
    return [...blocks.slice(0, index), joined, ...blocks.slice(index + 2)];
  }
}

/** Written without the implementation: the position of every unit, counted by hand. */
function placesOf(blocks: Blocks, isRich: boolean): Map<string, number> {
  const places = new Map<string, number>();
  let position = 0;
  for (const block of blocks) {
    position += isRich ? 1 : 0;
    for (const unit of block) places.set(unit, position++);
    position += isRich ? 1 : 0;
  }
  return places;
}

const valueOf = (blocks: Blocks, isRich: boolean): unknown =>
  isRich ? doc(...blocks.map((units) => paragraph(units.join('')))) : blocks.flat().join('');

describe('Any sequence of edits', () => {
  verifies('entries/comment-anchors');

  it.each([
    ['plain text', false],
    ['rich text', true],
  ])('leaves every anchor in %s on the units that are left of it', (_name, isRich) => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(12), { minLength: 1, maxLength: 4 }),
        fc.array(edit, { maxLength: 8 }),
        fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 20 })), { minLength: 1, maxLength: 5 }),
        (sizes, edits, spans) => {
          const author = new Author();
          const before: Blocks = sizes.map((size) => author.write(size));
          const after = edits.reduce<Blocks>((blocks, one) => author.apply(blocks, one), before);
          const [was, is] = [placesOf(before, isRich), placesOf(after, isRich)];
          const units = [...was.keys()];
          const covered = spans
            .map(([start, count]) => units.slice(start % (units.length || 1)).slice(0, count))
            .filter((anchored) => anchored.length > 0);
          const ranges = covered.map((anchored) => ({
            from: was.get(anchored[0] ?? '') ?? 0,
            to: (was.get(anchored.at(-1) ?? '') ?? 0) + 1,
          }));
          const expected = covered.map((anchored) => {
            const left = anchored.flatMap((unit) => is.get(unit) ?? []);
            return left.length === 0 ? null : { from: left[0], to: (left.at(-1) ?? 0) + 1 };
          });
          expect(mapRanges(valueOf(before, isRich), valueOf(after, isRich), ranges)).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });
});

import {
  anchoredText,
  indexAt,
  positionAt,
  type AnchoredText,
  type TextRange,
  isBreak,
} from './anchored-text.js';
import { diffArrays } from 'diff';

/** Edits that are found one by one, fewer in large parts; with more, the changed part counts as replaced. */
const EDITS_MAXIMUM = 400;
const STEPS_MAXIMUM = 1_000_000;

/** Units between the first and the last change that are compared. */
const COMPARED_MAXIMUM = 20_000;

/** Words of scripts with spaces; every other character, such as a CJK one, is compared alone. */
const token =
  /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}\p{M}])+|./gsu;

interface Tokens {
  readonly keys: string[];
  /** Index of each token, and of the end. */
  readonly starts: number[];
}

/** Of a part of the text. A word ends with its block. */
function tokensOf(value: AnchoredText, from: number, to: number): Tokens {
  const { text, atoms } = value;
  const keys: string[] = [];
  const starts: number[] = [];
  const add = (start: number, end: number): void => {
    keys.push(atoms.get(start) ?? text.slice(start, end));
    starts.push(start);
  };
  for (const { 0: found, index } of text.slice(from, to).matchAll(token)) {
    const end = from + index + found.length;
    let start = from + index;
    for (let next = start + 1; next < end; next += 1) {
      if (!isBreak(value, next)) continue;
      add(start, next);
      start = next;
    }
    add(start, end);
  }
  starts.push(to);
  return { keys, starts };
}

const separator = /^[\s\p{P}\p{S}]$/u;

/** Units that two texts have in common at their start and end, up to a separator or the end of a block. */
function commonEdges(a: AnchoredText, b: AnchoredText): { start: number; end: number } {
  const isSame = (x: number, y: number): boolean =>
    a.text.charCodeAt(x) === b.text.charCodeAt(y) && a.atoms.get(x) === b.atoms.get(y);
  const length = Math.min(a.text.length, b.text.length);
  let start = 0;
  while (start < length && isSame(start, start)) start += 1;
  if (start === a.text.length && start === b.text.length) return { start, end: 0 };
  const isWhole = (): boolean => isBreak(a, start) && isBreak(b, start);
  while (start > 0 && !separator.test(a.text.charAt(start - 1)) && !isWhole()) start -= 1;
  let end = 0;
  while (end < length - start && isSame(a.text.length - 1 - end, b.text.length - 1 - end)) end += 1;
  while (end > 0 && !separator.test(a.text.charAt(a.text.length - end))) end -= 1;
  return { start, end };
}

/** Where each unit of a text is in the other; -1 if it is gone. Ascending, since nothing is moved. */
interface TextDifference {
  readonly kept: Int32Array;
  /** Units between these indexes were too different to compare; null if all were compared. */
  readonly replaced: {
    readonly start: number;
    readonly end: number;
    readonly text: string;
    readonly at: number;
  } | null;
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

function commonEnd(a: readonly string[], b: readonly string[], start: number): number {
  const maximum = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < maximum && a[a.length - 1 - length] === b[b.length - 1 - length]) length += 1;
  return length;
}

class Comparison {
  readonly kept: Int32Array;
  replaced: TextDifference['replaced'] = null;
  readonly #before: Tokens;
  readonly #after: Tokens;
  readonly #isTooLong: boolean;

  constructor(
    private readonly from: AnchoredText,
    private readonly to: AnchoredText,
  ) {
    this.kept = new Int32Array(from.text.length).fill(-1);
    const { start, end } = commonEdges(from, to);
    const [last, next] = [from.text.length - end, to.text.length - end];
    this.#keepUnits(0, 0, start);
    this.#keepUnits(last, next, end);
    this.#isTooLong = Math.max(last, next) - start > COMPARED_MAXIMUM;
    this.#before = this.#isTooLong ? { keys: [''], starts: [start, last] } : tokensOf(from, start, last);
    this.#after = this.#isTooLong ? { keys: [''], starts: [start, next] } : tokensOf(to, start, next);
  }

  run(): void {
    const [before, after] = [this.#before.keys, this.#after.keys];
    if (this.#isTooLong) return this.#replace(0, before.length, after.length);
    const start = commonStart(before, after);
    const end = commonEnd(before, after, start);
    this.#keep(0, 0, start);
    this.#keep(before.length - end, after.length - end, end);
    this.#compare(start, before.length - end, after.length - end);
  }

  #compare(start: number, beforeEnd: number, afterEnd: number): void {
    const before = this.#before.keys.slice(start, beforeEnd);
    const after = this.#after.keys.slice(start, afterEnd);
    const steps = Math.ceil(STEPS_MAXIMUM / (before.length + after.length + 1));
    const changes = diffArrays(before, after, { maxEditLength: Math.min(EDITS_MAXIMUM, steps) });
    if (changes === undefined) return this.#replace(start, beforeEnd, afterEnd);
    let [old, next, removed, added] = [start, start, 0, 0];
    const settle = (): void => {
      this.#compareWords([old - removed, old], [next - added, next]);
      [removed, added] = [0, 0];
    };
    for (const change of changes) {
      if (change.removed) removed += change.count;
      else if (change.added) added += change.count;
      else settle();
      if (!change.added) old += change.count;
      if (!change.removed) next += change.count;
      if (!change.added && !change.removed) this.#keep(old - change.count, next - change.count, change.count);
    }
    settle();
  }

  #replace(start: number, beforeEnd: number, afterEnd: number): void {
    const at = this.#after.starts[start] ?? 0;
    const text = this.to.text.slice(at, this.#after.starts[afterEnd]);
    const end = this.#before.starts[beforeEnd] ?? 0;
    this.replaced = { start: this.#before.starts[start] ?? 0, end, text, at };
  }

  /** A corrected word is the same word: its start and end stay if they are at least half of it. */
  #compareWords([oldStart, oldEnd]: [number, number], [nextStart, nextEnd]: [number, number]): void {
    const at = this.#before.starts[oldStart] ?? 0;
    const to = this.#after.starts[nextStart] ?? 0;
    const before = [...this.from.text.slice(at, this.#before.starts[oldEnd])];
    const after = [...this.to.text.slice(to, this.#after.starts[nextEnd])];
    const isOfWords = before.length > 0 && after.length > 0;
    if (!isOfWords || this.#hasAtoms([oldStart, oldEnd])) return;
    const start = commonStart(before, after);
    const end = commonEnd(before, after, start);
    if ((start + end) * 2 < Math.max(before.length, after.length)) return;
    const size = (units: readonly string[]): number => units.join('').length;
    this.#keepUnits(at, to, size(before.slice(0, start)));
    const tail = size(before.slice(before.length - end));
    this.#keepUnits(at + size(before) - tail, to + size(after) - tail, tail);
  }

  #hasAtoms([start, end]: [number, number]): boolean {
    return (
      this.from.atoms.size > 0 && this.#before.starts.slice(start, end).some((at) => this.from.atoms.has(at))
    );
  }

  #keep(before: number, after: number, count: number): void {
    const [start = 0, end = 0] = [this.#before.starts[before], this.#before.starts[before + count]];
    this.#keepUnits(start, this.#after.starts[after] ?? 0, end - start);
  }

  #keepUnits(start: number, target: number, count: number): void {
    for (let index = 0; index < count; index += 1) this.kept[start + index] = target + index;
  }
}

/** Compares by words; the cost is bounded, however different the texts are. */
function textDifference(before: AnchoredText, after: AnchoredText): TextDifference {
  const comparison = new Comparison(before, after);
  comparison.run();
  return { kept: comparison.kept, replaced: comparison.replaced };
}

/** The nearest kept unit of each index, looking in one direction. */
function nearestKept(kept: Int32Array, step: 1 | -1): Int32Array {
  const nearest = new Int32Array(kept.length);
  let last = -1;
  for (let count = 0; count < kept.length; count += 1) {
    const index = step === 1 ? kept.length - 1 - count : count;
    if ((kept[index] ?? -1) >= 0) last = index;
    nearest[index] = last;
  }
  return nearest;
}

/** The only place of a quote in a part that was too different to compare. */
function foundAgain(
  { replaced }: TextDifference,
  text: string,
  [start, end]: [number, number],
): [number, number] | null {
  if (replaced === null || start < replaced.start || end > replaced.end) return null;
  const quote = text.slice(start, end);
  const at = replaced.text.indexOf(quote);
  if (at < 0 || replaced.text.includes(quote, at + 1)) return null;
  return [replaced.at + at, replaced.at + at + quote.length];
}

const rangeOf = (text: AnchoredText, [start, end]: readonly [number, number]): TextRange => ({
  from: positionAt(text, start),
  to: positionAt(text, end - 1) + 1,
});

/**
 * Where ranges of a value are after it was written with another one; null for a range whose text is gone. A range keeps
 * what was inserted within it, not what was inserted at its edges.
 */
export function mapRanges(
  before: unknown,
  after: unknown,
  ranges: readonly TextRange[],
): (TextRange | null)[] {
  const [from, to] = [anchoredText(before), anchoredText(after)];
  const difference = textDifference(from, to);
  const { kept } = difference;
  const [next, previous] = [nearestKept(kept, 1), nearestKept(kept, -1)];
  return ranges.map((range) => {
    const [start, end] = [indexAt(from, range.from), indexAt(from, range.to)];
    const [first = -1, last = -1] = end > start ? [next[start], previous[end - 1]] : [];
    if (first >= 0 && last >= first) return rangeOf(to, [kept[first] ?? 0, (kept[last] ?? 0) + 1]);
    const again = end > start ? foundAgain(difference, from.text, [start, end]) : null;
    return again && rangeOf(to, again);
  });
}

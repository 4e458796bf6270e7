import { anchoredText, indexAt, positionAt, type AnchoredText, type TextRange } from './anchored-text.js';
import { textDifference, type TextDifference } from './text-difference.js';

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

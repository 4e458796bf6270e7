/**
 * Indexes of a longest subsequence that rises: what may stay where it is while a list is sorted with
 * as few moves as that takes.
 */
export function longestIncreasingSubsequence(numbers: readonly number[]): Set<number> {
  // For every length the index at which a rise of that length ends lowest, and what came before each.
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, number] of numbers.entries()) {
    let length = 0;
    for (let high = ends.length; length < high;) {
      const middle = (length + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) length = middle + 1;
      else high = middle;
    }
    before[index] = ends[length - 1];
    ends[length] = index;
  }
  const rise: number[] = [];
  for (let index = ends.at(-1); index !== undefined; index = before[index]) rise.push(index);
  return new Set(rise.reverse());
}

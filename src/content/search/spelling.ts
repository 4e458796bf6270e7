/** Shorter words have too many neighbours. */
const SHORTEST = 4;
const LONGEST = 32;

export const canBeMisspelt = (word: string): boolean => {
  const { length } = Array.from(word);
  return length >= SHORTEST && length <= LONGEST && !/^\p{N}+$/u.test(word);
};

/** Typing errors that a word of this length may have. */
export const errorsAllowed = (word: string): number => (Array.from(word).length < 8 ? 1 : 2);

/** FNV-1a as a signed number of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash | 0;
}

/**
 * Hashes of the word and of what is left of it without one character. Words that share one differ by at most two
 * errors, so an index of numbers finds neighbours without an extension of the database.
 */
export function spellingsOf(scope: string, word: string): number[] {
  const characters = Array.from(word);
  const left = characters.map((_, index) => characters.toSpliced(index, 1).join(''));
  return [...new Set([word, ...left])].map((spelling) => hashOf(`${scope}\n${spelling}`));
}

/** Insertions, deletions, replacements and swaps of neighbours between two words. */
export function errorsBetween(one: string, other: string): number {
  const [a, b] = [Array.from(one), Array.from(other)];
  let before: number[] = [];
  let last = b.map((_, index) => index).concat(b.length);
  for (const [row, letter] of a.entries()) {
    const next = [row + 1];
    for (const [column, compared] of b.entries()) {
      const cost = letter === compared ? 0 : 1;
      let least = Math.min((next[column] ?? 0) + 1, (last[column + 1] ?? 0) + 1, (last[column] ?? 0) + cost);
      const isSwap = row > 0 && column > 0 && letter === b[column - 1] && a[row - 1] === compared;
      if (isSwap) least = Math.min(least, (before[column - 1] ?? 0) + 1);
      next.push(least);
    }
    before = last;
    last = next;
  }
  return last[b.length] ?? a.length;
}

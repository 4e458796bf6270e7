const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const wordsOf = (text: string): string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether every word that was typed is the beginning of a word of the label. Case and accents do not matter. */
export function matchesWords(typed: string, label: string): boolean {
  const words = wordsOf(label);
  return wordsOf(typed).every((start) => words.some((word) => word.startsWith(start)));
}

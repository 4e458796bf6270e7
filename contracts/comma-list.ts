/** The values of a list that is written as text: a comma separates them, `\,` is a comma (rule lists/text). */
export const splitList = (text: string): string[] =>
  text.split(/(?<!\\),/).map((value) => value.replaceAll('\\,', ','));

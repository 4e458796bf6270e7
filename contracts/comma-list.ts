/** The values of a list in one string: a comma separates them, `\,` is a comma (rule lists/pages). */
export const splitList = (text: string): string[] =>
  text.split(/(?<!\\),/).map((value) => value.replaceAll('\\,', ','));

/**
 * Compiling an instruction takes about a microsecond. A class of Unicode characters such as `\p{L}` is a long list, read
 * once and copied for each repetition.
 */
const unicodeClassCost = 350;
const unicodeClassSize = 60;
const ignoringCase = /\(\?[a-z]*i/;
const ignoringCaseFactor = 3;

const token = /\\[pP](?:\{[^}]*\})?|\\[xu]\{[^}]*\}|\\.|\[|\]|\(|\)|\{(\d+)(?:,(\d*))?\}|[*+?|]|./gsu;
const unicodeClass = /^\\[pP]/;

interface Group {
  /** Instructions before the last atom, and of it. */
  size: number;
  last: number;
}

/** Times that a quantifier repeats an atom in the program. */
function repetitions(least: string, most: string | undefined): number {
  return Math.max(1, Number(least), most === undefined || most === '' ? Number(least) + 1 : Number(most));
}

/** About how many microseconds it takes to compile a pattern: an upper bound for the size of its program. */
export function estimateCost(pattern: string): number {
  const groups: Group[] = [{ size: 0, last: 0 }];
  let classes = 0;
  let classDepth = 0;
  for (const [text, least, most] of pattern.matchAll(token)) {
    const group = groups.at(-1) ?? { size: 0, last: 0 };
    const isUnicodeClass = unicodeClass.test(text);
    if (isUnicodeClass) classes += 1;
    if (classDepth > 0) {
      if (isUnicodeClass) group.last += unicodeClassSize;
      if (text === '[') classDepth += 1;
      if (text === ']') classDepth -= 1;
    } else if (least !== undefined) group.last *= repetitions(least, most);
    else if (text === '(') groups.push({ size: 0, last: 0 });
    else if (text === ')' && groups.length > 1) {
      groups.pop();
      append(groups.at(-1) ?? group, group.size + group.last + 2);
    } else if ('*+?|'.includes(text)) group.size += 1;
    else {
      if (text === '[') classDepth = 1;
      append(group, isUnicodeClass ? unicodeClassSize : 1);
    }
  }
  const size = groups.reduce((sum, group) => sum + group.size + group.last, 0);
  return (size + classes * unicodeClassCost) * (ignoringCase.test(pattern) ? ignoringCaseFactor : 1);
}

function append(group: Group, size: number): void {
  group.size += group.last;
  group.last = size;
}

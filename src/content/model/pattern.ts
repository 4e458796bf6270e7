import { RE2JS, RE2JSException } from 're2js';
import { problem, type Problem } from './problem.js';

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

const compiledMaximum = 200;
const compiled = new Map<string, RE2JS>();

/**
 * Bounds program size times string length, at about 10 ns per unit: 0.2 s per value. Larger programs cost too much
 * memory.
 */
const workMaximum = 20_000_000;
const programSizeMaximum = 1200;
/** Microseconds to compile a pattern, about. More is refused without compiling it. */
const compileCostMaximum = 25_000;

const flagBits: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

/** Whether an accepted pattern matches anywhere in the text. */
export function isFound(text: string, pattern: string, flags = ''): boolean {
  return compile(pattern, flags).test(text);
}

/** The groups of a match of the whole text, the match itself first; undefined without a match. */
export function matchWhole(text: string, pattern: string): readonly (string | null)[] | undefined {
  const matcher = compile(pattern, '').matcher(text);
  if (!matcher.matches()) return undefined;
  return Array.from({ length: matcher.groupCount() + 1 }, (_none, index) => matcher.group(index));
}

export function groupCount(pattern: string): number {
  return compile(pattern, '').groupCount();
}

/**
 * Checks that the linear-time engine can run a pattern on strings of this length. It has no look-around and no
 * backreferences.
 */
export function checkPattern(pattern: string, flags: string, textLength: number): Problem[] {
  // The engine would read \k as the letter k.
  if ([...pattern.matchAll(/\\(.)/gs)].some(([, escaped]) => escaped === 'k'))
    return invalid('backreferences are not supported');
  if (estimateCost(pattern) > compileCostMaximum) return tooCostly();
  let size: number;
  try {
    size = compile(pattern, flags).programSize();
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return invalid(error.message.replace(/^error parsing regexp: /, ''));
  }
  const sizeMaximum = Math.min(programSizeMaximum, workMaximum / textLength);
  return size > sizeMaximum ? tooCostly() : [];
}

const tooCostly = (): Problem[] =>
  problem(
    'pattern_too_costly',
    'The pattern is too complex for values of this length. Simplify it or lower maxLength.',
  );

/** For callers that run an accepted pattern often. */
export const compilePattern = (pattern: string): RE2JS => compile(pattern, '');

function invalid(reason: string): Problem[] {
  return problem('invalid_pattern', `Invalid pattern: ${reason}.`);
}

function compile(pattern: string, flags: string): RE2JS {
  const key = `${flags}/${pattern}`;
  const known = compiled.get(key);
  if (known) return known;
  const bits = [...flags].reduce((sum, flag) => sum | (flagBits[flag] ?? 0), 0);
  // Patterns use JavaScript syntax: \u00e9, \/, (?<name>…).
  const program = RE2JS.compile(RE2JS.translateRegExp(pattern), bits);
  const [oldest] = compiled.keys();
  if (oldest !== undefined && compiled.size >= compiledMaximum) compiled.delete(oldest);
  compiled.set(key, program);
  return program;
}

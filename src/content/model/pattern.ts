import { RE2JS, RE2JSException } from 're2js';
import { problem, type Problem } from './problem.js';

/** Compiled patterns are kept, because publishing many entries runs the same few again and again. */
const compiledMaximum = 200;
const compiled = new Map<string, RE2JS>();

/**
 * Bounds for the engine's worst case, which is program size times text length: about 10 ns for each
 * unit, so 0.2 s for one value. Larger programs also cost too much to compile and to keep.
 */
const workMaximum = 20_000_000;
const programSizeMaximum = 1200;

const flagBits: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

/** Whether the pattern is found anywhere in the text. The pattern must be one that {@link checkPattern} accepts. */
export function isFound(text: string, pattern: string, flags = ''): boolean {
  return compile(pattern, flags).test(text);
}

/**
 * The groups of a match of the whole text, the match itself first, a group that took no part null;
 * undefined where the text does not match.
 */
export function matchWhole(text: string, pattern: string): readonly (string | null)[] | undefined {
  const matcher = compile(pattern, '').matcher(text);
  if (!matcher.matches()) return undefined;
  return Array.from({ length: matcher.groupCount() + 1 }, (_none, index) => matcher.group(index));
}

/** How many groups an accepted pattern captures. */
export function groupCount(pattern: string): number {
  return compile(pattern, '').groupCount();
}

/**
 * What keeps a pattern from being used on texts of a given length: it does not compile on the
 * linear-time engine, which has no look-around and no backreferences, or costs too much.
 */
export function checkPattern(pattern: string, flags: string, textLength: number): Problem[] {
  // The engine would read \k as the letter k.
  if ([...pattern.matchAll(/\\(.)/gs)].some(([, escaped]) => escaped === 'k'))
    return invalid('backreferences are not supported');
  let size: number;
  try {
    size = compile(pattern, flags).programSize();
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return invalid(error.message.replace(/^error parsing regexp: /, ''));
  }
  const sizeMaximum = Math.min(programSizeMaximum, workMaximum / textLength);
  return size > sizeMaximum
    ? problem(
        'pattern_too_costly',
        'The pattern costs too much on texts of this length: simplify it or set a lower maxLength.',
      )
    : [];
}

/** The program of an accepted pattern, for those that run it often. */
export const compilePattern = (pattern: string): RE2JS => compile(pattern, '');

function invalid(reason: string): Problem[] {
  return problem('invalid_pattern', `The pattern cannot be used: ${reason}.`);
}

function compile(pattern: string, flags: string): RE2JS {
  const key = `${flags}/${pattern}`;
  const known = compiled.get(key);
  if (known) return known;
  const bits = [...flags].reduce((sum, flag) => sum | (flagBits[flag] ?? 0), 0);
  // Patterns come in JavaScript's spelling: \u00e9, \/, (?<name>…).
  const program = RE2JS.compile(RE2JS.translateRegExp(pattern), bits);
  const [oldest] = compiled.keys();
  if (oldest !== undefined && compiled.size >= compiledMaximum) compiled.delete(oldest);
  compiled.set(key, program);
  return program;
}

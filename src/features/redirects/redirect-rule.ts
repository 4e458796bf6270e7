import { limits } from '../../../contracts/limits.js';
import type { RedirectMatch, RedirectStatus } from '../../../contracts/resources/redirect.js';
import { checkPattern, groupCount, matchWhole } from '../../content/model/pattern.js';
import { canonicalPath, isCanonicalPath, type PathFault } from './redirect-path.js';

/** What a redirect does, whatever else is known of it. */
export interface RedirectRule {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly status: RedirectStatus;
  readonly matchType: RedirectMatch;
  /** Null means every locale. */
  readonly locale: string | null;
}

/** What is wrong with a key of a rule. */
export interface RuleFault {
  readonly key: 'source' | 'target';
  readonly code: string;
  readonly message: string;
}

/**
 * Patterns are checked as for texts of this length, though paths are shorter: every request for a path
 * that nothing else answers may run all patterns of a site.
 */
const PATTERN_TEXT_LENGTH = 100_000;

const groupReference = /\$([1-9])/g;

function sourceFaults(source: string): RuleFault[] {
  const fault = (code: string, message: string): RuleFault => ({ key: 'source', code, message });
  if (!source.startsWith('/')) return [fault('invalid_pattern', 'The pattern starts with "/".')];
  if (/\s$/u.test(source)) return [fault('invalid_pattern', 'The pattern does not end with a space.')];
  if (source.length > limits.patternLength)
    return [fault('too_long', `A pattern has at most ${limits.patternLength} characters.`)];
  return checkPattern(source, '', PATTERN_TEXT_LENGTH).map(({ code, message }) => fault(code, message));
}

function groupFaults(source: string, target: string): RuleFault[] {
  const groups = groupCount(source);
  const missing = [...target.matchAll(groupReference)].find(([, number]) => Number(number) > groups);
  if (missing === undefined) return [];
  const message = `The pattern has ${groups} groups, the target refers to ${missing[0]}.`;
  return [{ key: 'target', code: 'invalid_group', message }];
}

/** Source and target in their canonical form, or what is wrong with them. */
export function parsePaths(
  draft: Pick<RedirectRule, 'source' | 'target' | 'matchType'>,
): { source: string; target: string } | readonly RuleFault[] {
  const isPattern = draft.matchType === 'regex';
  const source = isPattern ? draft.source : canonicalPath(draft.source);
  const target = canonicalPath(draft.target);
  const faults: RuleFault[] = [];
  const addFault = (key: RuleFault['key'], fault: PathFault) => faults.push({ key, ...fault });
  if (typeof source !== 'string') addFault('source', source);
  else if (isPattern) faults.push(...sourceFaults(source));
  if (typeof target !== 'string') addFault('target', target);
  if (typeof source !== 'string' || typeof target !== 'string' || faults.length > 0) return faults;
  if (isPattern) faults.push(...groupFaults(source, target));
  else if (source === target)
    faults.push({ key: 'target', code: 'same_as_source', message: 'The target is the source.' });
  return faults.length > 0 ? faults : { source, target };
}

/** What lies behind a prefix; undefined where the path does not lie under it. */
function restAfter(prefix: string, path: string): string | undefined {
  if (path === prefix) return '';
  if (prefix === '/') return path;
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

function prefixTarget({ source, target }: RedirectRule, path: string): string | undefined {
  const rest = restAfter(source, path);
  if (rest === undefined) return undefined;
  return target === '/' && rest !== '' ? rest : target + rest;
}

/** The text that every match begins with, as far as it is plain to see. */
function literalStart(pattern: string): string {
  if (pattern.includes('|')) return '';
  const [start = ''] = /^[^\\.+*?()[\]{}^$]*/.exec(pattern) ?? [];
  // What follows may make the last character optional.
  return /[*?{]/.test(pattern.charAt(start.length)) ? start.replace(/.$/su, '') : start;
}

function patternTarget({ source, target }: RedirectRule, path: string): string | undefined {
  // Most patterns are about another part of the site, and this is much cheaper than running them.
  if (!path.startsWith(literalStart(source))) return undefined;
  const groups = matchWhole(path, source);
  return groups && target.replace(groupReference, (_whole, number: string) => groups[Number(number)] ?? '');
}

/**
 * Where a rule leads a canonical path; undefined where it does not concern it. What it would lead to
 * and is no path, such as `//host`, is nowhere.
 */
export function targetOf(rule: RedirectRule, path: string): string | undefined {
  switch (rule.matchType) {
    case 'exact':
      return rule.source === path ? rule.target : undefined;
    case 'prefix': {
      const target = prefixTarget(rule, path);
      return target !== undefined && isCanonicalPath(target) ? target : undefined;
    }
    case 'regex': {
      const target = patternTarget(rule, path)?.replace(/(?<=.)\/$/, '');
      return target !== undefined && isCanonicalPath(target) ? target : undefined;
    }
  }
}

/** Paths that stand for all that a rule concerns, where a walk that looks for loops begins. */
export function sampleStarts({ source, target, matchType }: RedirectRule): string[] {
  if (matchType === 'exact') return [source];
  // A private character stands in nobody's paths, so it only follows rules for everything below.
  if (matchType === 'prefix') return [source, `${source === '/' ? '' : source}/\u{E000}`];
  // Paths that a pattern matches are not known, those it leads to are.
  const targets = ['x', '1'].map((sample) => target.replace(groupReference, sample));
  return [...new Set(targets)].filter(isCanonicalPath);
}

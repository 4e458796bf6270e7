import { limits } from '../../../contracts/limits.js';
import type { RedirectMatch, RedirectStatus } from '../../../contracts/resources/redirect.js';
import { checkPattern, groupCount, matchWhole } from '../../content/model/pattern.js';
import { canonicalPath, isCanonicalPath, type PathFault } from './redirect-path.js';

export interface RedirectRule {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly status: RedirectStatus;
  readonly matchType: RedirectMatch;
  /** Null means every locale. */
  readonly locale: string | null;
}

export interface RuleFault {
  readonly key: 'source' | 'target';
  readonly code: string;
  readonly message: string;
}

/** Assumed input length for the cost check: every unmatched request may run all patterns of a site. */
const PATTERN_TEXT_LENGTH = 100_000;

const groupReference = /\$([1-9])/g;

function sourceFaults(source: string): RuleFault[] {
  const fault = (code: string, message: string): RuleFault => ({ key: 'source', code, message });
  if (!source.startsWith('/')) return [fault('invalid_pattern', 'The pattern must start with "/".')];
  if (/\s$/u.test(source)) return [fault('invalid_pattern', 'The pattern must not end with a space.')];
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

/** Canonical source and target, or the faults. */
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
    faults.push({
      key: 'target',
      code: 'same_as_source',
      message: 'The target must differ from the source.',
    });
  return faults.length > 0 ? faults : { source, target };
}

/** Undefined if the path is not under the prefix. */
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

/** Literal prefix of all matches. */
function literalStart(pattern: string): string {
  if (pattern.includes('|')) return '';
  const [start = ''] = /^[^\\.+*?()[\]{}^$]*/.exec(pattern) ?? [];
  // A following quantifier may make the last character optional.
  return /[*?{]/.test(pattern.charAt(start.length)) ? start.replace(/.$/su, '') : start;
}

function patternTarget({ source, target }: RedirectRule, path: string): string | undefined {
  // Cheap pre-check before running the pattern.
  if (!path.startsWith(literalStart(source))) return undefined;
  const groups = matchWhole(path, source);
  return groups && target.replace(groupReference, (_whole, number: string) => groups[Number(number)] ?? '');
}

/** Undefined if the rule does not match or the result is not a path (`//host`). */
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

/** Start paths of the loop check. */
export function sampleStarts({ source, target, matchType }: RedirectRule): string[] {
  if (matchType === 'exact') return [source];
  // A private-use character occurs in no real path, so only prefix rules match it.
  if (matchType === 'prefix') return [source, `${source === '/' ? '' : source}/\u{E000}`];
  // A pattern's inputs are unknown, its targets are known.
  const targets = ['x', '1'].map((sample) => target.replace(groupReference, sample));
  return [...new Set(targets)].filter(isCanonicalPath);
}

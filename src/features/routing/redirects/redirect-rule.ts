import { limits } from '../../../../contracts/limits.js';
import type {
  QueryMatch,
  RedirectMatch,
  RedirectStatus,
} from '../../../../contracts/routing/redirects/redirect.js';
import { checkPattern, groupCount, matchWhole } from '../../../content/model/pattern.js';
import { encodePath } from '../../../content/route-path.js';
import {
  formatAddress,
  mergeQuery,
  parametersOf,
  parseAddress,
  splitTarget,
  type Address,
  canonicalPath,
  isCanonicalPath,
  type PathFault,
} from './redirect-address.js';
import { canonicalTarget, isAbsolute } from './redirect-target.js';

export interface RedirectRule {
  readonly id: string;
  readonly source: string;
  /** Null exactly with status 410. */
  readonly target: string | null;
  readonly status: RedirectStatus;
  readonly matchType: RedirectMatch;
  readonly queryMatch: QueryMatch;
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

const tooLong = (text: string): PathFault | undefined =>
  Buffer.byteLength(text) > limits.redirectPathBytes
    ? { code: 'too_long', message: `A source or target has at most ${limits.redirectPathBytes} bytes.` }
    : undefined;

function canonicalSource({
  source,
  matchType,
}: Pick<RedirectRule, 'source' | 'matchType'>): string | PathFault {
  if (matchType === 'regex') return source;
  const { path, query, fragment } = splitTarget(source);
  if (query !== '' && matchType === 'prefix')
    return { code: 'invalid_path', message: 'Only an exact source may have a query.' };
  const canonical = canonicalPath(path + fragment);
  if (typeof canonical !== 'string') return canonical;
  const parameters = parametersOf(query);
  if (parameters.length > limits.redirectSourceParameters) {
    const message = `A source has at most ${limits.redirectSourceParameters} parameters.`;
    return { code: 'too_many_parameters', message };
  }
  const address = formatAddress({ path: canonical, parameters });
  return tooLong(address) ?? address;
}

function targetFor({ target, status }: Pick<RedirectRule, 'target' | 'status'>): string | null | PathFault {
  if (status === 410) {
    if (target === null) return null;
    return { code: 'unexpected_target', message: 'A redirect with status 410 has no target.' };
  }
  if (target === null || target === '')
    return { code: 'target_required', message: 'A redirect needs a target.' };
  const canonical = canonicalTarget(target);
  return typeof canonical === 'string' ? (tooLong(canonical) ?? canonical) : canonical;
}

const isFault = (value: string | null | PathFault): value is PathFault =>
  typeof value === 'object' && value !== null;

function groupFaults(source: string, target: string): RuleFault[] {
  const groups = groupCount(source);
  const missing = [...target.matchAll(groupReference)].find(([, number]) => Number(number) > groups);
  if (missing === undefined) return [];
  const message = `The pattern has ${groups} groups, the target refers to ${missing[0]}.`;
  return [{ key: 'target', code: 'invalid_group', message }];
}

/** Whether the target, a path, is what the source matches. */
const isSource = (source: string, target: string): boolean =>
  !isAbsolute(target) && formatAddress(parseAddress(target)) === source;

/** Canonical source and target, or the faults. */
export function parsePaths(
  draft: Pick<RedirectRule, 'source' | 'target' | 'matchType' | 'status'>,
): { source: string; target: string | null } | readonly RuleFault[] {
  const isPattern = draft.matchType === 'regex';
  const source = canonicalSource(draft);
  const target = targetFor(draft);
  const faults: RuleFault[] = [];
  if (isFault(source)) faults.push({ key: 'source', ...source });
  else if (isPattern) faults.push(...sourceFaults(source));
  if (isFault(target)) faults.push({ key: 'target', ...target });
  if (isFault(source) || isFault(target) || faults.length > 0) return faults;
  if (target === null) return { source, target };
  if (isPattern) faults.push(...groupFaults(source, target));
  else if (isSource(source, target))
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

/** The target with the rest of the path; undefined if that is not a path (`//host`). */
function appendRest(target: string, rest: string): string | undefined {
  const { path, query, fragment } = splitTarget(target);
  if (isAbsolute(target))
    return rest === '' ? target : path.replace(/\/$/, '') + encodePath(rest) + query + fragment;
  const longer = path === '/' && rest !== '' ? rest : path + rest;
  return isCanonicalPath(longer) ? longer + query + fragment : undefined;
}

/** Literal prefix of all matches. */
function literalStart(pattern: string): string {
  if (pattern.includes('|')) return '';
  const [start = ''] = /^[^\\.+*?()[\]{}^$]*/.exec(pattern) ?? [];
  // A following quantifier may make the last character optional.
  return /[*?{]/.test(pattern.charAt(start.length)) ? start.replace(/.$/su, '') : start;
}

type Groups = readonly (string | null)[];

const withGroups = (text: string, groups: Groups, encode: (value: string) => string): string =>
  text.replace(groupReference, (_whole, number: string) => encode(groups[Number(number)] ?? ''));

const asIs = (text: string): string => text;

/** The target with the groups of a pattern, which cannot change its host; undefined if it is not a path (`//host`). */
function insertGroups(target: string, groups: Groups): string | undefined {
  const { path, query, fragment } = splitTarget(target);
  const suffix = withGroups(query + fragment, groups, encodeURIComponent);
  if (isAbsolute(target)) return withGroups(path, groups, encodePath) + suffix;
  const longer = withGroups(path, groups, asIs).replace(/(?<=.)\/$/, '');
  return isCanonicalPath(longer) ? longer + suffix : undefined;
}

/** Undefined if the path does not match or the result is not a path; null for status 410. */
function pathTarget({ source, target, matchType }: RedirectRule, path: string): string | null | undefined {
  switch (matchType) {
    case 'exact':
      return splitTarget(source).path === path ? target : undefined;
    case 'prefix': {
      const rest = restAfter(source, path);
      if (rest === undefined || target === null) return rest === undefined ? undefined : null;
      return appendRest(target, rest);
    }
    case 'regex': {
      // Cheap pre-check before running the pattern.
      if (!path.startsWith(literalStart(source))) return undefined;
      const groups = matchWhole(path, source);
      if (groups === undefined || target === null) return groups === undefined ? undefined : null;
      return insertGroups(target, groups);
    }
  }
}

/** The parameters that a request must have. */
export const sourceParameters = ({
  source,
  matchType,
}: Pick<RedirectRule, 'source' | 'matchType'>): string[] =>
  matchType === 'exact' ? parametersOf(splitTarget(source).query) : [];

/** Undefined if the rule does not match; null for status 410. */
export function targetOf(rule: RedirectRule, { path, parameters }: Address): string | null | undefined {
  const target = pathTarget(rule, path);
  if (target === undefined) return undefined;
  const required = sourceParameters(rule);
  if (!required.every((parameter) => parameters.includes(parameter))) return undefined;
  const others = parameters.filter((parameter) => !required.includes(parameter));
  if (rule.queryMatch === 'exact' && others.length > 0) return undefined;
  if (rule.queryMatch !== 'pass' || target === null) return target;
  const parts = splitTarget(target);
  return parts.path + mergeQuery(parts.query, others) + parts.fragment;
}

/** Start addresses of the loop check. */
export function sampleStarts({ source, target, matchType }: RedirectRule): string[] {
  if (target === null || isAbsolute(target)) return [];
  if (matchType === 'exact') return [source];
  // A private-use character occurs in no real path, so only prefix rules match it.
  if (matchType === 'prefix') return [source, `${source === '/' ? '' : source}/\u{E000}`];
  // A pattern's inputs are unknown, its targets are known.
  const groups = ['x', '1'].map((sample) => Array<string>(10).fill(sample));
  const targets = groups.flatMap((sample) => insertGroups(target, sample) ?? []);
  return [...new Set(targets.map((one) => formatAddress(parseAddress(one))))];
}

import { isOwnBlock } from '../../content/model/own-block.js';
import type { Issue } from '../api/failure.js';
import { SLUG, type Content, type Values } from './draft.js';
import { itemsOf } from './items.js';
import { isSame, outlineOf, ownBlocksOf } from './merge-typed.js';
import { pathInBlock, valueAt } from './paths.js';

/**
 * Messages by path: `title`, `_slug`, `tags[#2]` for an item of a list, `sections[<id>].title` inside a block.
 * Blocks are named by their ids, so that a message stays with its block when that is moved.
 */
export type Problems = ReadonlyMap<string, readonly string[]>;

export const noProblems: Problems = new Map();

/** Why a draft was refused. */
export interface Refusal {
  readonly problems: Problems;
  /** Issues of entries that would be published along, by id. Their paths start in that entry. */
  readonly along: ReadonlyMap<string, readonly Issue[]>;
  /** What was refused. */
  readonly content: Content;
}

type TextOf = (issue: Issue) => string;

const plainText: TextOf = ({ message }) => message;

/** The place inside a value, such as "2 · title". */
export function placeIn(path: Issue['path']): string {
  const steps = path
    .filter((step) => step !== 'fields')
    .map((step) => (typeof step === 'number' ? step + 1 : step));
  return steps.length === 0 ? '' : `${steps.join(' · ')}: `;
}

interface Located {
  readonly path: string;
  /** Steps inside the value at the path. */
  readonly rest: Issue['path'];
}

function located([name, ...rest]: Issue['path'], values: Values): Located {
  const field = String(name ?? '');
  const value = values[field];
  const [index, ...inner] = rest;
  const item = itemsOf(value).find((one, at) => at === index || (isOwnBlock(one) && one._ref === index));
  if (!isOwnBlock(item))
    return typeof index === 'number' && Array.isArray(value) && index < value.length
      ? { path: `${field}[#${String(index)}]`, rest: inner }
      : { path: field, rest };
  if (inner[0] !== 'fields' || inner.length === 1)
    return { path: `${field}[${item._ref}]`, rest: inner.slice(1) };
  const inside = located(inner.slice(1), item.fields);
  return { ...inside, path: pathInBlock(field, item._ref, inside.path) };
}

const ALONG = 'dependencies';

/**
 * Issues name a field by its path in the entry or in the call.
 * @param values that they are about
 */
export function problemsOf(issues: readonly Issue[], values: Values = {}, textOf = plainText): Problems {
  const problems = new Map<string, string[]>();
  for (const issue of issues) {
    if (issue.path[0] === ALONG) continue;
    const [first, ...others] = issue.path[0] === 'fields' ? issue.path.slice(1) : issue.path;
    const { path, rest } =
      first === 'slug' ? { path: SLUG, rest: others } : located([first ?? '', ...others], values);
    problems.set(path, [...(problems.get(path) ?? []), placeIn(rest) + textOf(issue)]);
  }
  return problems;
}

export function refusalOf(issues: readonly Issue[], content: Content, textOf = plainText): Refusal {
  const others = issues.filter(({ path }) => path[0] === ALONG);
  const along = Map.groupBy(
    others.map((issue) => ({ ...issue, id: String(issue.path[1]), path: issue.path.slice(2) })),
    ({ id }) => id,
  );
  return { problems: problemsOf(issues, content.fields, textOf), along, content };
}

/** What a message is about: of a list of blocks, which blocks it has. */
function subjectOf({ slug, fields }: Content, path: string): unknown {
  if (path === SLUG) return slug;
  const { isThere, value } = valueAt(fields, path);
  if (!isThere) return undefined;
  return Array.isArray(value) && ownBlocksOf(value).size > 0 ? outlineOf(value) : value;
}

/** The problems of values that are still as they were refused. */
export function openProblems(refusals: readonly Refusal[], now: Content): Problems {
  const open = new Map<string, readonly string[]>();
  for (const { problems, content } of refusals)
    for (const [path, messages] of problems)
      if (isSame(subjectOf(content, path), subjectOf(now, path)))
        open.set(path, [...new Set([...(open.get(path) ?? []), ...messages])]);
  return open;
}

/** Messages at a field that shows its items together, those about items included. */
export const messagesWithin = (problems: Problems, path: string): readonly string[] =>
  [...problems]
    .filter(([at]) => at === path || /^\[#\d+\]$/.test(at.startsWith(path) ? at.slice(path.length) : ''))
    .flatMap(([, messages]) => messages);

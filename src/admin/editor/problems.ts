import { isOwnBlock } from '../../content/model/own-block.js';
import type { Issue } from '../api/failure.js';
import { itemsOf } from './items.js';
import { pathInBlock } from './paths.js';
import { SLUG, type Values } from './draft.js';

/** Messages by path: `title`, `_slug`, `sections[<id>].title`. */
export type Problems = ReadonlyMap<string, readonly string[]>;

export const noProblems: Problems = new Map();

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

/** The field that an issue is about; in blocks by their ids, so that it stays with its block when that is moved. */
function located([name, ...rest]: Issue['path'], values: Values): Located {
  const field = String(name ?? '');
  const [index, ...inner] = rest;
  const items = itemsOf(values[field]);
  const item = items.find((one, at) => at === index || (isOwnBlock(one) && one._ref === index));
  if (!isOwnBlock(item)) return { path: field, rest };
  if (inner[0] !== 'fields' || inner.length === 1)
    return { path: `${field}[${item._ref}]`, rest: inner.slice(1) };
  const inside = located(inner.slice(1), item.fields);
  return { ...inside, path: pathInBlock(field, item._ref, inside.path) };
}

/**
 * Issues name a field by its path in the entry or in the call.
 * @param values that they are about
 */
export function problemsOf(issues: readonly Issue[], values: Values = {}): Problems {
  const problems = new Map<string, string[]>();
  for (const { path: steps, message } of issues) {
    const [first, ...others] = steps[0] === 'fields' ? steps.slice(1) : steps;
    const { path, rest } =
      first === 'slug' ? { path: SLUG, rest: others } : located([first ?? '', ...others], values);
    problems.set(path, [...(problems.get(path) ?? []), placeIn(rest) + message]);
  }
  return problems;
}

import type { Issue } from '../api/failure.js';
import { SLUG } from './conflict.js';

/** Messages by field; the slug is `_slug`. */
export type Problems = ReadonlyMap<string, readonly string[]>;

export const noProblems: Problems = new Map();

/** The place inside a value, such as "2 · title". */
export function placeIn(path: Issue['path']): string {
  const steps = path
    .filter((step) => step !== 'fields')
    .map((step) => (typeof step === 'number' ? step + 1 : step));
  return steps.length === 0 ? '' : `${steps.join(' · ')}: `;
}

/** Issues name a field by its path in the entry or in the call. */
export function problemsOf(issues: readonly Issue[]): Problems {
  const problems = new Map<string, string[]>();
  for (const { path, message } of issues) {
    const [first, ...rest] = path[0] === 'fields' ? path.slice(1) : path;
    const field = first === 'slug' ? SLUG : String(first ?? '');
    problems.set(field, [...(problems.get(field) ?? []), placeIn(rest) + message]);
  }
  return problems;
}

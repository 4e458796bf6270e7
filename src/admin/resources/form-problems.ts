import { issuesOf } from '../../../contracts/errors.js';
import { placeIn } from '../editor/problems.js';
import type { Issue } from '../api/failure.js';
import { t } from '../texts/index.js';
import { inputOf, type Contract } from './contract.js';
import { isBlank, type Values } from './form-input.js';

/** Messages by key of the input. */
export type FormProblems = Readonly<Record<string, readonly string[]>>;

export function problemsByKey(issues: readonly Issue[]): FormProblems {
  const problems: Record<string, string[]> = {};
  for (const { path, message } of issues) {
    const [key = '', ...rest] = path;
    (problems[key] ??= []).push(placeIn(rest) + message);
  }
  return problems;
}

/** What the shape of the contract refuses, before the service is asked. */
export function problemsOfInput(contract: Contract, input: Values): FormProblems {
  const result = inputOf(contract).safeParse(input);
  if (result.success) return {};
  const problems = problemsByKey(issuesOf(result.error));
  return Object.fromEntries(
    Object.entries(problems).map(([key, messages]) => [
      key,
      isBlank(input[key]) ? [t('form.required')] : messages,
    ]),
  );
}

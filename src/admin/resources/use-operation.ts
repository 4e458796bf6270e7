import { getUntypedClient } from '@trpc/client';
import { useState } from 'react';
import type { z } from 'zod';
import { client, queryClient } from '../api/client.js';
import { failureOf, type Issue } from '../api/failure.js';
import type { QueryKey } from '@tanstack/react-query';
import { type Contract, inputOf } from './contract.js';
import { type Values, isBlank } from './form-input.js';
import { issuesOf } from '../../../contracts/errors.js';
import { placeIn } from '../editor/problems.js';
import { t, type TextKey } from '../texts/index.js';

/** Messages by key of the input. */
type FormProblems = Readonly<Record<string, readonly string[]>>;

function problemsByKey(issues: readonly Issue[]): FormProblems {
  const problems: Record<string, string[]> = {};
  for (const { path, message } of issues) {
    const [key = '', ...rest] = path;
    (problems[key] ??= []).push(placeIn(rest) + message);
  }
  return problems;
}

const limitWords = {
  string: ['problem.tooShort', 'problem.tooLong'],
  array: ['problem.tooFew', 'problem.tooMany'],
  number: ['problem.tooSmall', 'problem.tooLarge'],
} as const;

const wordsOfLimit = (origin: string): readonly [TextKey, TextKey] =>
  limitWords[origin === 'string' || origin === 'array' ? origin : 'number'];

/** What a shape expects, in words for people; its own messages where it has some. */
function wordsOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      return t(wordsOfLimit(issue.origin)[0], { minimum: String(issue.minimum) });
    case 'too_big':
      return t(wordsOfLimit(issue.origin)[1], { maximum: String(issue.maximum) });
    case 'invalid_value':
      return t('problem.option');
    case 'invalid_type':
      return issue.expected === 'number' || issue.expected === 'int'
        ? t('problem.number')
        : t('form.required');
    case 'invalid_format':
      if (issue.format === 'email') return t('problem.email');
      if (issue.format === 'url') return t('problem.url');
      // Patterns with a message of the contract say more.
      return issue.message.startsWith('Invalid') ? t('problem.format') : issue.message;
    default:
      return issue.message;
  }
}

/** What the shape of the contract refuses, before the service is asked. */
function problemsOfInput(contract: Contract, input: Values): FormProblems {
  const result = inputOf(contract).safeParse(input);
  if (result.success) return {};
  const problems = problemsByKey(
    issuesOf({ issues: result.error.issues.map((issue) => ({ ...issue, message: wordsOf(issue) })) }),
  );
  return Object.fromEntries(
    Object.entries(problems).map(([key, messages]) => [
      key,
      isBlank(input[key]) ? [t('form.required')] : messages,
    ]),
  );
}

/** What a call of an operation returns. */
export interface OperationResult {
  readonly data: unknown;
  readonly meta?: unknown;
}

/** An operation by its name in the API, such as `redirects.create`. */
const callOperation = (operation: string, input: Values): Promise<OperationResult> =>
  getUntypedClient(client).mutation(operation, input) as Promise<OperationResult>;

/** Queries of the resource and those that are named are read again. */
export async function refreshAfter(operation: string, others: readonly QueryKey[] = []): Promise<void> {
  const [resource = ''] = operation.split('.');
  const keys: QueryKey[] = [[[resource]], ...others];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface Operation {
  readonly isBusy: boolean;
  readonly problems: FormProblems;
  /** What no key is to blame for. */
  readonly refusal: Refusal | undefined;
  /** Undefined if the input was refused, here or by the service. */
  readonly call: (input: Values) => Promise<OperationResult | undefined>;
}

/** Calls an operation with an input that was checked with the shape of its contract. */
export function useOperation(operation: string, contract: Contract): Operation {
  const [isBusy, setIsBusy] = useState(false);
  const [problems, setProblems] = useState<FormProblems>({});
  const [refusal, setRefusal] = useState<Refusal>();
  const call = async (input: Values): Promise<OperationResult | undefined> => {
    const found = problemsOfInput(contract, input);
    setProblems(found);
    setRefusal(undefined);
    if (Object.keys(found).length > 0) return undefined;
    setIsBusy(true);
    try {
      return await callOperation(operation, input);
    } catch (error) {
      const { issues, ...rest } = failureOf(error);
      setProblems(problemsByKey(issues));
      setRefusal(rest);
      return undefined;
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, problems, refusal, call };
}

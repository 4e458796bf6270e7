import { TRPCClientError } from '@trpc/client';
import { failureText } from '../texts/index.js';

export interface Issue {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
}

/** What a call was refused with; code `offline` if the service was not reached. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly issues: readonly Issue[];
  readonly details: Readonly<Record<string, unknown>>;
}

interface FailureData {
  readonly error?: string;
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

const dataOf = (error: unknown): FailureData | null | undefined =>
  error instanceof TRPCClientError ? (error.data as FailureData | null | undefined) : undefined;

export function failureOf(error: unknown): Failure {
  const data = dataOf(error);
  const code = data?.error ?? (error instanceof TypeError || isUnreached(error) ? 'offline' : 'unexpected');
  const details = data?.details ?? {};
  const message = error instanceof Error ? error.message : String(error);
  return { code, message: failureText(code, message), issues: issuesIn(details), details };
}

const isUnreached = (error: unknown): boolean =>
  error instanceof TRPCClientError && error.cause instanceof TypeError;

const issuesIn = ({ issues }: Failure['details']): readonly Issue[] =>
  Array.isArray(issues) ? (issues as Issue[]) : [];

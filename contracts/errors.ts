import type { z } from 'zod';
import { errorTable, type ErrorCode } from './error-codes.js';

/** An item of `details.issues`. */
export interface InputIssue {
  /** Path from the root of the input: `["fields", "title"]`. */
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
}

/** The only error that use cases throw. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    readonly details?: unknown,
    message: string = errorTable[code].message,
  ) {
    super(message);
    this.status = errorTable[code].status;
  }
}

/** Body of a failure (specification section 7). */
export function failureBody(error: AppError): { error: ErrorCode; message: string; details?: unknown } {
  const { code, message, details } = error;
  return details === undefined ? { error: code, message } : { error: code, message, details };
}

/** 422 `validation_failed` with its issues, or `schema_too_complex` if one has this code. */
export function invalidInput(...issues: InputIssue[]): AppError {
  const isTooComplex = issues.some(({ code }) => code === 'schema_too_complex');
  return new AppError(isTooComplex ? 'schema_too_complex' : 'validation_failed', { issues });
}

/** One issue per mismatch, and one per unknown key. */
export function issuesOf(error: z.core.$ZodError): InputIssue[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    if (issue.code !== 'unrecognized_keys') return [{ path, code: issue.code, message: issue.message }];
    return issue.keys.map((key) => ({
      path: [...path, key],
      code: 'unrecognized_key',
      message: `Unknown key: ${key}`,
    }));
  });
}

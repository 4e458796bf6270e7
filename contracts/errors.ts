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

/** What is wrong with the only alternative of a union that has the type of the value. */
function alternativeOf(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] | undefined {
  if (issue.code !== 'invalid_union') return undefined;
  const [alternative, ...others] = issue.errors.filter(
    (issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  );
  return others.length > 0 ? undefined : alternative;
}

/** One issue per mismatch, and one per unknown key. */
export function issuesOf(error: { readonly issues: readonly z.core.$ZodIssue[] }): InputIssue[] {
  return error.issues.flatMap((issue): InputIssue[] => {
    const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    const alternative = alternativeOf(issue);
    if (alternative !== undefined)
      return issuesOf({ issues: alternative }).map((inner) => ({ ...inner, path: [...path, ...inner.path] }));
    if (issue.code !== 'unrecognized_keys') return [{ path, code: issue.code, message: issue.message }];
    return issue.keys.map((key) => ({
      path: [...path, key],
      code: 'unrecognized_key',
      message: `Unknown key: ${key}`,
    }));
  });
}

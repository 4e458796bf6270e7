import { AppError, type InputIssue } from '../../../../../contracts/errors.js';
import type { SchemaStep } from '../../../../../contracts/deployment/schema/schema-plan.js';
import type { SchemaModel } from '../../../../content/schema/schema-model.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { StoredSchema } from '../store/read-schema.js';
import type { Target } from '../plan/make-plan.js';

export interface ApplyContext {
  readonly work: UnitOfWork;
  readonly projectSlug: string;
  /** As before the apply. */
  readonly stored: StoredSchema;
  readonly target: Target;
  readonly steps: readonly SchemaStep[];
}

type Kind = SchemaStep['kind'];
type Action = SchemaStep['action'];

export const stepsOf = ({ steps }: ApplyContext, kind: Kind, ...actions: Action[]): SchemaStep[] =>
  steps.filter((step) => step.kind === kind && actions.includes(step.action));

/** New values of the changed keys, without those that another phase writes. */
export function changedValues({ changes }: SchemaStep, ...others: string[]): Record<string, unknown> {
  const own = changes.filter(({ key }) => !others.includes(key));
  return Object.fromEntries(own.map(({ key, after }) => [key, after]));
}

/** Failures of an operation name places in its input; the caller knows places in the document. */
export async function inDocument<T>(
  section: keyof SchemaModel,
  name: string,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { issues, path } = (error.details ?? {}) as {
      issues?: readonly InputIssue[];
      path?: InputIssue['path'];
    };
    const place = ['schema', section, name];
    const located = {
      ...(issues && { issues: issues.map((issue) => ({ ...issue, path: [...place, ...issue.path] })) }),
      ...(path && { path: path[0] === 'schema' ? path : [...place, ...path] }),
    };
    if (Object.keys(located).length === 0) throw error;
    throw new AppError(error.code, { ...(error.details as object), ...located }, error.message);
  }
}

import type { SchemaStep } from '../../../../contracts/vocabulary/schema-plan.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { StoredSchema } from '../read-schema.js';
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

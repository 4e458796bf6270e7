import { invalidInput } from '../../../../contracts/errors.js';
import type { SchemaDocument } from '../../../../contracts/vocabulary/schema-document.js';
import type { SchemaPlan, SchemaStep } from '../../../../contracts/vocabulary/schema-plan.js';
import {
  declaredRenames,
  diffModels,
  documentIssues,
  normalizeDocument,
  targetWarnings,
  type DeclaredRenames,
  type SchemaModel,
} from '../../../content/schema/index.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { readSchema, type StoredSchema } from '../store/read-schema.js';
import { assertReadable } from '../store/schema.policy.js';
import { assertDefinitions } from './check-definitions.js';
import { withLosses } from './find-losses.js';

/** The wanted schema, and the renames that lead to it. */
export interface Target {
  readonly model: SchemaModel;
  readonly renames: DeclaredRenames;
}

export interface PreparedPlan {
  readonly stored: StoredSchema;
  readonly target: Target;
  readonly plan: SchemaPlan;
}

const isDestructive = ({ action, lost }: SchemaStep): boolean =>
  action === 'delete' || action === 'replace' || lost !== null;

/** @throws AppError 422 for a document that contradicts itself */
export function targetOf(document: SchemaDocument): Target {
  const issues = documentIssues(document);
  if (issues.length > 0) throw invalidInput(...issues);
  return { model: normalizeDocument(document), renames: declaredRenames(document) };
}

/**
 * The steps from the stored schema to the target. The number of statements is constant but for those that count what
 * destructive steps remove.
 * @throws AppError 403 for a section that the caller cannot read, 422 for invalid definitions
 */
export async function makePlan(work: UnitOfWork, target: Target): Promise<PreparedPlan> {
  assertReadable(work, target.model);
  const stored = await readSchema(work);
  const changes = diffModels(stored.model, target.model, target.renames);
  await assertDefinitions(stored, target, changes);
  const steps = await withLosses(work, stored, changes);
  const { contentTypes } = target.model;
  const plan = {
    steps,
    isDestructive: steps.some(isDestructive),
    warnings: contentTypes === undefined ? [] : targetWarnings(contentTypes),
  };
  return { stored, target, plan };
}

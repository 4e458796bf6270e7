import { AppError } from '../../../../../contracts/errors.js';
import { diffModels } from '../../../../content/schema/diff-schemas.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { readSchema, type StoredSchema } from '../store/read-schema.js';
import type { PreparedPlan } from '../plan/make-plan.js';
import { authorizeSteps } from '../store/schema.policy.js';
import { alignFields } from './align-fields.js';
import {
  completeTypes,
  createTypes,
  deleteNamedTypes,
  deleteUnnamedTypes,
  releaseWorkflows,
  removeAndRenameFields,
  renameTypes,
  updateTypes,
} from './apply-types.js';
import type { ApplyContext } from './apply-context.js';
import {
  deleteCustomTypes,
  writeCustomTypes,
  deleteRoles,
  writeGrants,
  writeRoles,
  deleteWorkflows,
  writeWorkflows,
} from './apply-governing.js';

type Phase = (context: ApplyContext) => Promise<void>;

/** What is named exists before what names it, and is deleted after it. */
const phases: readonly Phase[] = [
  deleteUnnamedTypes,
  writeCustomTypes,
  renameTypes,
  writeRoles,
  updateTypes,
  removeAndRenameFields,
  createTypes,
  alignFields,
  writeWorkflows,
  completeTypes,
  releaseWorkflows,
  deleteWorkflows,
  deleteNamedTypes,
  writeGrants,
  deleteRoles,
  deleteCustomTypes,
];

/**
 * Makes the stored schema equal to the target, by the operations on its parts.
 * @returns the schema after it
 * @throws AppError of these operations; 409 `conflict` if the stored schema still differs
 */
export async function runSteps(
  work: UnitOfWork,
  { stored, target, plan }: PreparedPlan,
  projectSlug: string,
): Promise<StoredSchema> {
  const { steps } = plan;
  authorizeSteps(work, steps);
  const context = { work, projectSlug, stored, target, steps };
  for (const phase of phases) await phase(context);
  const after = await readSchema(work);
  const left = diffModels(after.model, target.model, target.renames);
  if (left.length > 0) throw new AppError('conflict', { steps: left });
  return after;
}

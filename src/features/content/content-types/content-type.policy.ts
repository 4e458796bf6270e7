import { AppError, invalidInput } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { Catalog } from '../../../content/catalog.js';
import { NO_WORKFLOW } from '../../../content/workflow/workflow-definition.js';
import { checkPattern } from '../../../content/model/pattern.js';
import type { ContentType } from '../../../../contracts/content/content-types/content-type.js';
import type { Field } from '../../../../contracts/content/fields/field.js';
import type { FieldRow, WholeContentType } from './content-type.repository.js';

/**
 * @throws AppError 422 `validation_failed` for a pattern that the linear-time engine cannot run
 */
export function assertPattern(slugPattern: string | null | undefined): void {
  if (slugPattern === undefined || slugPattern === null) return;
  const [problem] = checkPattern(slugPattern, '', limits.slugLength);
  if (problem !== undefined) throw invalidInput({ ...problem, path: ['slugPattern'] });
}

/** @throws AppError 404 `workflow_not_found` */
export function assertWorkflow({ data }: Catalog, slug: string | null | undefined): void {
  if (slug === undefined || slug === null || slug === NO_WORKFLOW) return;
  if (data.workflows.some((workflow) => workflow.slug === slug)) return;
  throw new AppError('workflow_not_found', { path: ['workflowSlug'] });
}

/** A field as management shows it. */
export function presentField(row: FieldRow): Field {
  const {
    tenantId: _t,
    environmentId: _e,
    contentTypeId: _c,
    createdAt: _at,
    updatedAt: _up,
    ...field
  } = row;
  return { ...field, defaultValue: field.defaultValue ?? null } as Field;
}

/** A content type as management shows it. */
export function presentContentType({ type, fields, entryCount }: WholeContentType): ContentType {
  const { tenantId: _t, environmentId: _e, typeName: _n, createdAt, updatedAt, ...own } = type;
  return {
    ...own,
    fields: fields.map(presentField),
    fieldCount: fields.length,
    entryCount,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

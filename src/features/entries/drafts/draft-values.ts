import { AppError, invalidInput, type InputIssue } from '../../../../contracts/errors.js';
import type { Catalog, ContentTypeDefinition, FieldDefinition } from '../../../content/catalog.js';
import { kindOf, type Link } from '../../../content/field-kinds/index.js';
import { linksOf, mapLinks, storedForm } from '../../../content/links.js';
import { checkShapes, unknownFieldNames, type FieldValues } from '../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { prepareFields } from '../checks/prepare-fields.js';
import { LinkRepository, type LinkTarget } from '../link.repository.js';

export interface ValueContext {
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
}

/** Checks types and formats (decisions 2.29). */
function assertShapes(type: ContentTypeDefinition, values: FieldValues): void {
  const unknown = unknownFieldNames(type.fields, values);
  if (unknown.length > 0) {
    const issues = unknown.map((name) => ({
      path: ['fields', name],
      code: 'unknown_field',
      message: `${type.apiName} has no field ${name}.`,
    }));
    throw new AppError('unknown_field', { issues });
  }
  const issues = checkShapes(type.fields, values);
  if (issues.length > 0) throw invalidInput(...issues);
}

const allowedTypes = (field: FieldDefinition | undefined): readonly string[] | undefined =>
  (field?.settings as { contentTypes?: string[] } | undefined)?.contentTypes;

/** Checks links with readable targets: type and allowed types. */
function targetIssues(
  { catalog, type }: ValueContext,
  values: FieldValues,
  targets: ReadonlyMap<string, LinkTarget>,
): InputIssue[] {
  return linksOf(type.fields, values).flatMap(({ fieldApiName, id, type: named }) => {
    const target = targets.get(id.toLowerCase());
    if (target === undefined) return [];
    const actual = catalog.contentTypeById(target.contentTypeId)?.apiName ?? '';
    const allowed = allowedTypes(type.fields.find(({ apiName }) => apiName === fieldApiName));
    const path = ['fields', fieldApiName];
    if (named !== null && named !== actual)
      return [{ path, code: 'wrong_type', message: `${id} is of type ${actual}, not ${named}.` }];
    if (allowed !== undefined && !allowed.includes(actual)) {
      return [
        {
          path,
          code: 'content_type_not_allowed',
          message: `${fieldApiName} does not take entries of type ${actual}.`,
        },
      ];
    }
    return [];
  });
}

/**
 * Fills in `_type` of every link. A link to a missing entry keeps its type, else takes the first allowed one;
 * publishing checks it again.
 */
export function withLinkTypes(
  { catalog, type }: ValueContext,
  values: FieldValues,
  targets: ReadonlyMap<string, LinkTarget>,
): FieldValues {
  return Object.fromEntries(
    Object.entries(values).map(([apiName, value]) => {
      const field = type.fields.find((known) => known.apiName === apiName);
      if (field === undefined) return [apiName, value];
      if (!kindOf(field).isLink) return [apiName, storedForm(field, value)];
      const fallback = allowedTypes(field)?.[0] ?? 'unknown';
      const fill = (link: Link): Link => {
        const target = targets.get(link.id.toLowerCase());
        const actual = target && catalog.contentTypeById(target.contentTypeId)?.apiName;
        return { id: link.id.toLowerCase(), type: actual ?? link.type ?? fallback };
      };
      return [apiName, mapLinks([field], { [apiName]: value }, fill)[apiName]];
    }),
  );
}

/**
 * The part of {@link checkDraftValues} that needs no database and may take long.
 * @throws AppError 422 `unknown_field` or `validation_failed`
 */
export async function checkDraftShapes({ type }: ValueContext, values: FieldValues): Promise<void> {
  await prepareFields(type.fields);
  assertShapes(type, values);
}

/**
 * Completes the links of checked values. Unreadable targets count as missing, so that their type is not disclosed.
 * @throws AppError 422 `validation_failed`
 */
export async function completeLinks(
  work: UnitOfWork,
  context: ValueContext,
  values: FieldValues,
): Promise<FieldValues> {
  const ids = linksOf(context.type.fields, values).map(({ id }) => id.toLowerCase());
  const targets = await work.use(LinkRepository).readableTargets([...new Set(ids)]);
  const issues = targetIssues(context, values, targets);
  if (issues.length > 0) throw invalidInput(...issues);
  return withLinkTypes(context, values, targets);
}

/**
 * Checks draft values and completes their links.
 * @throws AppError 422 `unknown_field` or `validation_failed`
 */
export async function checkDraftValues(
  work: UnitOfWork,
  context: ValueContext,
  values: FieldValues,
): Promise<FieldValues> {
  await checkDraftShapes(context, values);
  return completeLinks(work, context, values);
}

/** Null clears a value; omitted values stay. */
export function mergeValues(before: FieldValues, given: FieldValues): FieldValues {
  const merged = Object.entries({ ...before, ...given }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(merged);
}

export function splitValues(
  type: ContentTypeDefinition,
  values: FieldValues,
): { localized: FieldValues; shared: FieldValues } {
  const isLocalized = new Map(type.fields.map(({ apiName, localized }) => [apiName, localized]));
  const of = (localized: boolean) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => isLocalized.get(name) === localized));
  return { localized: of(true), shared: of(false) };
}

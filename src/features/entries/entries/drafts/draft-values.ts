import type { FieldDefinition, Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import {
  prepareField,
  checkShapes,
  issuesMaximum,
  unknownFieldNames,
  type FieldValues,
} from '../../../../content/validate-fields.js';
import { Turns } from '../../../../infrastructure/lazy.js';
import { AppError, invalidInput, type InputIssue } from '../../../../../contracts/errors.js';
import { kindOf, type Link } from '../../../../content/field-kinds/index.js';
import { mapParts, valueParts } from '../../../../content/blocks/value-parts.js';
import { linksOf, mapLinks, storedForm } from '../../../../content/links.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { LinkRepository, type LinkTarget } from '../link.repository.js';

/** Reads JSON Schemas that no check has used yet, one after the other: each may take milliseconds. */
export async function prepareFields(fields: Iterable<FieldDefinition>): Promise<void> {
  const turns = new Turns();
  for (const field of fields) if (prepareField(field)) await turns.pause();
}

interface ValueContext {
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
}

type Path = InputIssue['path'];

/** Values of an entry, or of a block nested in it at `path`. */
export interface CheckedValues extends ValueContext {
  readonly path: Path;
  readonly values: FieldValues;
}

const under = (path: Path, issues: readonly InputIssue[]): InputIssue[] =>
  issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));

function assertKnownFields(drafts: readonly CheckedValues[]): void {
  const issues = drafts.flatMap(({ type, path, values }) =>
    unknownFieldNames(type.fields, values).map((name) => ({
      path: [...path, 'fields', name],
      code: 'unknown_field',
      message: `${type.apiName} has no field ${name}.`,
    })),
  );
  if (issues.length > 0) throw new AppError('unknown_field', { issues });
}

/** Checks types and formats (rule content/values). */
async function assertShapes(drafts: readonly CheckedValues[]): Promise<void> {
  assertKnownFields(drafts);
  const turns = new Turns();
  const issues: InputIssue[] = [];
  for (const { type, path, values } of drafts) {
    await turns.pause();
    issues.push(...under(path, checkShapes(type.fields, values)));
    if (issues.length >= issuesMaximum) break;
  }
  if (issues.length > 0) throw invalidInput(...issues.slice(0, issuesMaximum));
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
function withLinkTypes(
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
 * The part of {@link checkDraftValues} that needs no database and may take long. Reports the issues of all drafts.
 * @throws AppError 422 `unknown_field` or `validation_failed`
 */
export async function checkDraftShapes(drafts: readonly CheckedValues[]): Promise<void> {
  await prepareFields(new Set(drafts.flatMap(({ type }) => type.fields)));
  await assertShapes(drafts);
}

type LinkTargets = ReadonlyMap<string, LinkTarget>;

/** What the values link to, with one statement. Unreadable targets count as missing, so that their type is not disclosed. */
export async function linkTargets(work: UnitOfWork, drafts: readonly CheckedValues[]): Promise<LinkTargets> {
  const ids = drafts.flatMap(({ type, values }) =>
    linksOf(type.fields, values).map(({ id }) => id.toLowerCase()),
  );
  return work.use(LinkRepository).readableTargets([...new Set(ids)]);
}

/**
 * Reports the issues of all drafts.
 * @throws AppError 422 `validation_failed`
 */
export function withTargets(drafts: readonly CheckedValues[], targets: LinkTargets): FieldValues[] {
  const issues = drafts.flatMap((draft) => under(draft.path, targetIssues(draft, draft.values, targets)));
  if (issues.length > 0) throw invalidInput(...issues);
  return drafts.map((draft) => withLinkTypes(draft, draft.values, targets));
}

/**
 * Checks values that have their blocks in place, and completes the links in all of them. One statement.
 * @throws AppError 422 `unknown_field` or `validation_failed`
 */
export async function checkWholeValues(
  work: UnitOfWork,
  { catalog, type }: ValueContext,
  values: FieldValues,
): Promise<FieldValues> {
  const drafts = valueParts(catalog, type, values).map((part) => ({
    ...part,
    catalog,
    path: [...part.path],
  }));
  await checkDraftShapes(drafts);
  const targets = await linkTargets(work, drafts);
  withTargets(drafts, targets);
  return withAllLinkTypes({ catalog, type }, values, targets);
}

/** As {@link withLinkTypes}, in blocks too. */
export const withAllLinkTypes = (
  { catalog, type }: ValueContext,
  values: FieldValues,
  targets: LinkTargets,
): FieldValues =>
  mapParts(catalog, { type, values }, (part) => withLinkTypes({ ...part, catalog }, part.values, targets));

/** Null clears a value; omitted values stay. */
export function mergeValues(before: FieldValues, given: FieldValues): FieldValues {
  const merged = Object.entries({ ...before, ...given }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(merged);
}

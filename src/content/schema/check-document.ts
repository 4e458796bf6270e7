import type { InputIssue } from '../../../contracts/errors.js';
import type { SchemaDocument, SchemaWarning } from '../../../contracts/deployment/schema/schema-plan.js';
import { kindOf } from '../field-kinds/index.js';
import { textTargetsOf } from '../model/field-definition.js';
import type { ContentTypeModel, FieldModel } from './schema-model.js';

type Path = InputIssue['path'];

interface RenamedItem {
  readonly apiName: string;
  readonly renamedFrom?: string | undefined;
}

const issue = (path: Path, code: string, message: string): InputIssue => ({ path, code, message });

function duplicates(names: readonly string[], section: Path, key: string): InputIssue[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    if (seen.has(name)) return [issue([...section, index, key], 'duplicate', `${name} appears twice.`)];
    seen.add(name);
    return [];
  });
}

/** A former name has one successor, and is itself listed only if that item is renamed, too. */
function renameIssues(items: readonly RenamedItem[], section: Path): InputIssue[] {
  const byName = new Map(items.map((item) => [item.apiName, item]));
  const seen = new Set<string>();
  return items.flatMap(({ apiName, renamedFrom }, index) => {
    if (renamedFrom === undefined) return [];
    const path = [...section, index, 'renamedFrom'];
    const holder = byName.get(renamedFrom);
    if (renamedFrom === apiName || (holder !== undefined && holder.renamedFrom === undefined))
      return [issue(path, 'not_renamed', `The document also lists ${renamedFrom}.`)];
    if (seen.has(renamedFrom)) return [issue(path, 'duplicate', `${renamedFrom} has two new names.`)];
    seen.add(renamedFrom);
    return [];
  });
}

const apiNames = (items: readonly RenamedItem[]): string[] => items.map(({ apiName }) => apiName);
const slugs = (items: readonly { slug: string }[]): string[] => items.map(({ slug }) => slug);

function defaultIssues(workflows: SchemaDocument['workflows']): InputIssue[] {
  const count = workflows?.filter(({ isDefault }) => isDefault).length ?? 1;
  return count === 1
    ? []
    : [issue(['schema', 'workflows'], 'default_workflow', 'Exactly one workflow must be the default one.')];
}

/** Contradictions within a document. */
export function documentIssues({
  contentTypes = [],
  customFieldTypes = [],
  workflows,
  roles = [],
}: SchemaDocument): InputIssue[] {
  const types = ['schema', 'contentTypes'];
  return [
    ...duplicates(apiNames(contentTypes), types, 'apiName'),
    ...renameIssues(contentTypes, types),
    ...contentTypes.flatMap(({ fields }, index) => [
      ...duplicates(apiNames(fields), [...types, index, 'fields'], 'apiName'),
      ...renameIssues(fields, [...types, index, 'fields']),
    ]),
    ...duplicates(apiNames(customFieldTypes), ['schema', 'customFieldTypes'], 'apiName'),
    ...duplicates(slugs(workflows ?? []), ['schema', 'workflows'], 'slug'),
    ...defaultIssues(workflows),
    ...duplicates(slugs(roles), ['schema', 'roles'], 'slug'),
  ];
}

function codeOf(
  target: ContentTypeModel | undefined,
  takesBlocks: boolean,
): SchemaWarning['code'] | undefined {
  if (target === undefined) return 'unknown_content_type';
  if (target.isBlock === takesBlocks) return undefined;
  return takesBlocks ? 'not_a_block_type' : 'is_a_block_type';
}

const targetsOf = ({ settings }: FieldModel): readonly string[] =>
  (settings as { contentTypes?: readonly string[] }).contentTypes ?? [];

/** Fields that name content types which a new field could not name (rule content/types). */
export function targetWarnings(types: readonly ContentTypeModel[]): SchemaWarning[] {
  const known = new Map(types.map((type) => [type.apiName, type]));
  return types.flatMap(({ apiName, fields }) =>
    fields.flatMap((field) =>
      [
        ...targetsOf(field).map(
          (target) => [target, codeOf(known.get(target), kindOf(field).takesBlocks)] as const,
        ),
        ...textTargetsOf(field.validations).map(
          ({ name }) => [name, known.has(name) ? undefined : ('unknown_content_type' as const)] as const,
        ),
      ].flatMap(([target, code]): SchemaWarning[] =>
        code === undefined ? [] : [{ code, contentType: apiName, field: field.apiName, target }],
      ),
    ),
  );
}

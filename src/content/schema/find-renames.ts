import { canonicalJson } from '../exact-json/canonical-json.js';
import { mapNamedFields } from '../field-conditions.js';
import { kindOf } from '../field-kinds/index.js';
import { textTargetsOf } from '../model/field-definition.js';
import type { ContentTypeModel, FieldModel, SchemaModel } from './schema-model.js';

interface NamedDefinition {
  readonly apiName: string;
}

interface NameChange {
  readonly from: string;
  readonly to: string;
}

/** Declared renames whose former name exists and whose new name is free, in an order in which each is possible. */
function declaredChanges(names: Set<string>, declared: ReadonlyMap<string, string>): NameChange[] {
  const found: NameChange[] = [];
  for (let isProgress = true; isProgress;) {
    isProgress = false;
    for (const [to, from] of declared) {
      if (names.has(to) || !names.has(from)) continue;
      names.delete(from);
      names.add(to);
      found.push({ from, to });
      isProgress = true;
    }
  }
  return found;
}

/** Definitions by everything but their apiName; undefined for one that occurs twice. */
function uniqueByDefinition(items: readonly NamedDefinition[]): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const { apiName, ...definition } of items) {
    const key = canonicalJson(definition);
    found.set(key, found.has(key) ? undefined : apiName);
  }
  return found;
}

/**
 * Renames between two lists: declared ones, and definitions that differ in nothing but the apiName, if exactly one
 * disappeared and one appeared.
 */
export function findRenames(
  before: readonly NamedDefinition[],
  after: readonly NamedDefinition[],
  declared: ReadonlyMap<string, string> = new Map(),
): NameChange[] {
  const names = new Set(before.map(({ apiName }) => apiName));
  const renames = declaredChanges(names, declared);
  const renamedFrom = new Set(renames.map(({ from }) => from));
  const wanted = new Set(after.map(({ apiName }) => apiName));
  const lost = uniqueByDefinition(
    before.filter(({ apiName }) => !wanted.has(apiName) && !renamedFrom.has(apiName)),
  );
  const made = uniqueByDefinition(after.filter(({ apiName }) => !names.has(apiName)));
  for (const [definition, to] of made) {
    const from = lost.get(definition);
    if (from !== undefined && to !== undefined) renames.push({ from, to });
  }
  return renames;
}

type Rename = (name: string) => string;

/** Follows every step of a chain. */
const renameOf =
  (changes: readonly NameChange[]): Rename =>
  (name) =>
    changes.reduce((current, { from, to }) => (current === from ? to : current), name);

function renameLinkTypes(value: unknown, rename: Rename): unknown {
  if (Array.isArray(value)) return value.map((item) => renameLinkTypes(item, rename));
  if (typeof value !== 'object' || value === null || !('_type' in value)) return value;
  return { ...value, _type: rename(String(value._type)) };
}

function renameTextTargets(field: FieldModel, rename: Rename): FieldModel {
  const named = textTargetsOf(field.validations);
  if (named.length === 0) return field;
  const validations: Record<string, unknown> = { ...field.validations };
  for (const { key, index, name } of named)
    validations[key] = (validations[key] as readonly string[]).with(index, rename(name));
  return { ...field, validations };
}

function renameTargets(given: FieldModel, rename: Rename): FieldModel {
  const field = renameTextTargets(given, rename);
  if (!kindOf(field).isLink) return field;
  const { contentTypes } = field.settings as { contentTypes?: readonly string[] };
  return {
    ...field,
    defaultValue: renameLinkTypes(field.defaultValue, rename),
    settings: {
      ...field.settings,
      ...(contentTypes && { contentTypes: contentTypes.map(rename) }),
    },
  };
}

/** The schema after renames of content types, as the operation leaves it. */
export function withTypesRenamed(model: SchemaModel, changes: readonly NameChange[]): SchemaModel {
  if (changes.length === 0) return model;
  const rename = renameOf(changes);
  const names = (list: readonly string[]) => list.map(rename).sort();
  return {
    ...model,
    contentTypes: model.contentTypes?.map((type) => ({
      ...type,
      apiName: rename(type.apiName),
      fields: type.fields.map((field) => renameTargets(field, rename)),
    })),
    workflows: model.workflows?.map((workflow) => ({
      ...workflow,
      contentTypes: names(workflow.contentTypes),
    })),
    roles: model.roles?.map((role) => ({
      ...role,
      grants: role.grants.map((grant) => {
        const { contentTypes } = grant.scope;
        return contentTypes === undefined
          ? grant
          : { ...grant, scope: { ...grant.scope, contentTypes: names(contentTypes) } };
      }),
    })),
  };
}

/** The type after renames of its fields, as the operation leaves it. */
export function withFieldsRenamed(type: ContentTypeModel, changes: readonly NameChange[]): ContentTypeModel {
  if (changes.length === 0) return type;
  const rename = renameOf(changes);
  return {
    ...type,
    displayField: type.displayField && rename(type.displayField),
    fields: type.fields.map((field) => ({
      ...field,
      apiName: rename(field.apiName),
      settings: mapNamedFields(field.settings, rename),
      validations: mapNamedFields(field.validations, rename),
    })),
  };
}

import type { SchemaDocument } from '../../../contracts/deployment/schema/schema-plan.js';
import { isEqualJson } from '../exact-json/canonical-json.js';
import { compatibleKinds } from '../field-kinds/index.js';
import { findRenames, withFieldsRenamed, withTypesRenamed } from './find-renames.js';
import { movedNames, normalizeDocument } from './normalize.js';
import {
  declaredRenames,
  type ContentTypeModel,
  type FieldModel,
  type SchemaChange,
  type DeclaredRenames,
  type SchemaModel,
} from './schema-model.js';

type Changes = SchemaChange['changes'];

const keysOf = (before: FieldModel, after: FieldModel): Changes =>
  (Object.keys(after) as (keyof FieldModel)[])
    .filter((key) => !isEqualJson(before[key], after[key]))
    .map((key) => ({ key, before: before[key], after: after[key] }));

/** Whether values of the field stay valid under the new kind. */
const isCompatible = (before: FieldModel, after: FieldModel): boolean =>
  before.type === after.type || compatibleKinds(before.type).includes(after.type);

function displayFieldChange(before: ContentTypeModel, after: ContentTypeModel): SchemaChange[] {
  if (before.displayField === after.displayField) return [];
  const changes = [{ key: 'displayField', before: before.displayField, after: after.displayField }];
  return [
    { action: 'update', kind: 'contentType', name: after.apiName, contentType: null, from: null, changes },
  ];
}

/** Changes of the fields of a type that exists in both schemas, and of its display field. */
function diffFields(
  old: ContentTypeModel,
  after: ContentTypeModel,
  declared: ReadonlyMap<string, string> | undefined,
): SchemaChange[] {
  const contentType = after.apiName;
  const step = (
    action: SchemaChange['action'],
    name: string,
    parts: Partial<SchemaChange> = {},
  ): SchemaChange => ({ action, kind: 'field', name, contentType, from: null, changes: [], ...parts });
  const renames = findRenames(old.fields, after.fields, declared);
  const before = withFieldsRenamed(old, renames);
  const known = new Map(before.fields.map((field) => [field.apiName, field]));
  const names = after.fields.map(({ apiName }) => apiName);
  const wanted = new Set(names);
  const order = [...known.keys()].filter((name) => wanted.has(name));
  const moved = movedNames(order, names);
  return [
    ...[...known.keys()].filter((name) => !wanted.has(name)).map((name) => step('delete', name)),
    ...renames.map(({ from, to }) => step('rename', to, { from })),
    ...after.fields.flatMap((field, position) => {
      const { apiName } = field;
      const held = known.get(apiName);
      if (held === undefined) return [step('create', apiName)];
      const changes = keysOf(held, field);
      if (!isCompatible(held, field)) return [step('replace', apiName, { changes })];
      if (moved.has(apiName))
        changes.push({ key: 'position', before: order.indexOf(apiName), after: position });
      return changes.length > 0 ? [step('update', apiName, { changes })] : [];
    }),
    ...displayFieldChange(before, after),
  ];
}

type Kind = SchemaChange['kind'];
type Item = Readonly<Record<string, unknown>>;

const change = (
  action: SchemaChange['action'],
  kind: Kind,
  parts: Partial<SchemaChange> & { name: string },
): SchemaChange => ({ action, kind, contentType: null, from: null, changes: [], ...parts });

/** Keys whose values differ. */
const changedKeys = (before: Item, after: Item): SchemaChange['changes'] =>
  Object.keys(after)
    .filter((key) => !isEqualJson(before[key], after[key]))
    .map((key) => ({ key, before: before[key], after: after[key] }));

interface Section<T> {
  readonly kind: Kind;
  readonly nameOf: (item: T) => string;
  /** What counts as a change of the item itself. */
  readonly own: (item: T) => Item;
  /** Changes of its parts. */
  readonly parts?: (before: T, after: T) => SchemaChange[];
}

/** An absent list of `after` changes nothing. */
function diffSection<T>(
  before: readonly T[] = [],
  after: readonly T[] | undefined,
  { kind, nameOf, own, parts }: Section<T>,
): SchemaChange[] {
  if (after === undefined) return [];
  const known = new Map(before.map((item) => [nameOf(item), item]));
  const wanted = new Set(after.map(nameOf));
  const deleted = before
    .map(nameOf)
    .filter((name) => !wanted.has(name))
    .map((name) => change('delete', kind, { name }));
  const kept = after.flatMap((item): SchemaChange[] => {
    const name = nameOf(item);
    const old = known.get(name);
    if (old === undefined) return [change('create', kind, { name })];
    const changes = changedKeys(own(old), own(item));
    return [
      ...(changes.length > 0 ? [change('update', kind, { name, changes })] : []),
      ...(parts?.(old, item) ?? []),
    ];
  });
  return [...deleted, ...kept];
}

const apiNameOf = ({ apiName }: { apiName: string }): string => apiName;
const slugOf = ({ slug }: { slug: string }): string => slug;
const whole = <T extends object>(item: T): Item => item as Item;

/** One update of each item. */
function mergeUpdates(steps: readonly SchemaChange[]): SchemaChange[] {
  const merged = new Map<string, SchemaChange>();
  for (const step of steps) {
    const key = `${step.action} ${step.kind} ${step.contentType ?? ''} ${step.name}`;
    const known = merged.get(key);
    merged.set(key, known ? { ...known, changes: [...known.changes, ...step.changes] } : step);
  }
  return [...merged.values()];
}

/** The changes that turn one schema into another, of the sections that the second one has. */
export function diffModels(
  before: SchemaModel,
  after: SchemaModel,
  { contentTypes, fields }: DeclaredRenames,
): SchemaChange[] {
  const renames =
    after.contentTypes === undefined
      ? []
      : findRenames(before.contentTypes ?? [], after.contentTypes, contentTypes);
  const renamed = withTypesRenamed(before, renames);
  return mergeUpdates([
    ...renames.map(({ from, to }) => change('rename', 'contentType', { name: to, from })),
    ...diffSection(renamed.contentTypes, after.contentTypes, {
      kind: 'contentType',
      nameOf: apiNameOf,
      // The display field follows the renames of fields.
      own: ({ fields: _fields, displayField: _display, ...own }) => own,
      parts: (old, type) => diffFields(old, type, fields.get(type.apiName)),
    }),
    ...diffSection(renamed.customFieldTypes, after.customFieldTypes, {
      kind: 'customFieldType',
      nameOf: apiNameOf,
      own: whole,
    }),
    ...diffSection(renamed.workflows, after.workflows, { kind: 'workflow', nameOf: slugOf, own: whole }),
    ...diffSection(renamed.roles, after.roles, { kind: 'role', nameOf: slugOf, own: whole }),
  ]);
}

/**
 * The changes that turn one document into another. Sections that the second one lacks do not count. Renames are those
 * that it declares by `renamedFrom`, and definitions that differ in their apiName only.
 */
export const diffSchemas = (before: SchemaDocument, after: SchemaDocument): SchemaChange[] =>
  diffModels(normalizeDocument(before), normalizeDocument(after), declaredRenames(after));

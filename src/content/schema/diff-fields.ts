import { isEqualJson } from '../exact-json/canonical-json.js';
import { compatibleKinds } from '../field-kinds/index.js';
import { findRenames } from './find-renames.js';
import { movedNames } from './normalize.js';
import { withFieldsRenamed } from './rename-model.js';
import type { ContentTypeModel, FieldModel, SchemaChange } from './schema-model.js';

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
export function diffFields(
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

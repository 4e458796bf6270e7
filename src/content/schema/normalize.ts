import type { SchemaField } from '../../../contracts/resources/field.js';
import type { SchemaWorkflow } from '../../../contracts/resources/workflow.js';
import type {
  SchemaContentType,
  SchemaCustomFieldType,
  SchemaDocument,
  SchemaRole,
} from '../../../contracts/vocabulary/schema-document.js';
import { canonicalJson } from '../exact-json/canonical-json.js';
import { kindOf } from '../field-kinds/index.js';
import { nameOfField } from '../model/api-names.js';
import { titleFieldOf } from '../title-field.js';
import type {
  ContentTypeModel,
  CustomFieldTypeModel,
  FieldModel,
  GrantModel,
  RoleModel,
  SchemaModel,
  WorkflowModel,
} from './schema-model.js';

export const byName = <T>(items: readonly T[], nameOf: (item: T) => string): T[] =>
  [...items].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));

const sorted = (names: readonly string[]): string[] => [...new Set(names)].sort();

export function normalizeField(field: SchemaField, isTypeLocalized: boolean): FieldModel {
  const kind = kindOf(field);
  return {
    apiName: field.apiName,
    name: field.name ?? nameOfField(field.apiName),
    type: field.type,
    description: field.description ?? null,
    required: field.required ?? false,
    localized: field.localized ?? (isTypeLocalized && kind.isTranslatable),
    unique: field.unique ?? false,
    isList: kind.isAlwaysList || (field.isList ?? false),
    defaultValue: field.defaultValue ?? null,
    group: field.group ?? null,
    hidden: field.hidden ?? false,
    deprecated: field.deprecated ?? false,
    settings: field.settings ?? {},
    validations: field.validations ?? {},
  };
}

function normalizeType(type: SchemaContentType): ContentTypeModel {
  const isLocalized = type.isLocalized ?? true;
  const fields = type.fields.map((field) => normalizeField(field, isLocalized));
  return {
    apiName: type.apiName,
    name: type.name,
    description: type.description ?? null,
    // Omitted: as for a new type. Null: none.
    displayField:
      type.displayField === undefined ? titleFieldOf({ displayField: null, fields }) : type.displayField,
    isPage: type.isPage ?? false,
    isBlock: type.isBlock ?? false,
    isSingleton: type.isSingleton ?? false,
    isLocalized,
    workflowSlug: type.workflowSlug ?? null,
    slugPattern: type.slugPattern ?? null,
    previewPath: type.previewPath ?? null,
    fields,
  };
}

const normalizeCustomType = (type: SchemaCustomFieldType): CustomFieldTypeModel => ({
  apiName: type.apiName,
  name: type.name,
  description: type.description ?? null,
  jsonSchema: type.jsonSchema,
  graphqlTypeName: type.graphqlTypeName ?? null,
  defaultValue: type.defaultValue ?? null,
  editor: type.editor ?? null,
  indexAs: type.indexAs ?? 'none',
});

const normalizeState = (state: SchemaWorkflow['states'][number]): WorkflowModel['states'][number] => ({
  key: state.key,
  name: state.name,
  color: state.color ?? null,
  isInitial: state.isInitial ?? false,
  allowsPublish: state.allowsPublish ?? false,
  editableBy: sorted(state.editableBy ?? []),
});

/** A transition is named after its target, as by the operations on workflows. */
function normalizeTransitions({ states, transitions = [] }: SchemaWorkflow): WorkflowModel['transitions'] {
  return transitions.map(({ from, to, name, approvals, ...rest }) => ({
    from,
    to,
    name: name ?? states.find(({ key }) => key === to)?.name ?? to,
    roles: sorted(rest.roles ?? []),
    requireComment: rest.requireComment ?? false,
    requireAssignee: rest.requireAssignee ?? false,
    approvals: approvals
      ? {
          required: approvals.required,
          roles: sorted(approvals.roles ?? []),
          distinctFromAuthor: approvals.distinctFromAuthor ?? true,
        }
      : null,
  }));
}

export const normalizeWorkflow = (workflow: SchemaWorkflow): WorkflowModel => ({
  slug: workflow.slug,
  name: workflow.name,
  isDefault: workflow.isDefault ?? false,
  contentTypes: sorted(workflow.contentTypes ?? []),
  sites: sorted(workflow.sites ?? []),
  enforcement: workflow.enforcement ?? 'advisory',
  perLocale: workflow.perLocale ?? false,
  states: workflow.states.map(normalizeState),
  transitions: normalizeTransitions(workflow),
});

/** Empty lists limit nothing, as absent ones. */
function normalizeGrant({ resource, action, scope = {} }: SchemaRole['grants'][number]): GrantModel {
  const { ownOnly, ...lists } = scope;
  const limited = Object.entries(lists).flatMap(([key, values]) =>
    values === undefined || values.length === 0 ? [] : [[key, sorted(values)]],
  );
  return {
    resource,
    action,
    scope: { ...(Object.fromEntries(limited) as typeof lists), ...(ownOnly === true && { ownOnly }) },
  };
}

export function normalizeRole({ slug, name, description, grants }: SchemaRole): RoleModel {
  const distinct = new Map(grants.map(normalizeGrant).map((grant) => [canonicalJson(grant), grant]));
  return {
    slug,
    name,
    description: description ?? null,
    grants: byName([...distinct], ([text]) => text).map(([, grant]) => grant),
  };
}

/** The document with every default, in the order of an export. */
export function normalizeDocument(document: SchemaDocument): SchemaModel {
  const { contentTypes, customFieldTypes, workflows, roles } = document;
  return {
    ...(contentTypes && { contentTypes: byName(contentTypes.map(normalizeType), ({ apiName }) => apiName) }),
    ...(customFieldTypes && {
      customFieldTypes: byName(customFieldTypes.map(normalizeCustomType), ({ apiName }) => apiName),
    }),
    ...(workflows && { workflows: byName(workflows.map(normalizeWorkflow), ({ slug }) => slug) }),
    ...(roles && { roles: byName(roles.map(normalizeRole), ({ slug }) => slug) }),
  };
}

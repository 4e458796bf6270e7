import type { SchemaField } from '../../../contracts/content/fields/field.js';
import type { SchemaWorkflow } from '../../../contracts/content/workflows/workflow.js';
import type {
  SchemaContentType,
  SchemaCustomFieldType,
  SchemaDocument,
  SchemaRole,
} from '../../../contracts/deployment/schema/schema-plan.js';
import { canonicalJson, isEqualJson } from '../exact-json/canonical-json.js';
import { kindOf } from '../field-kinds/index.js';
import { nameOfField } from '../model/api-names.js';
import { titleFieldOf } from '../slug-field.js';
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

function normalizeField(field: SchemaField, isTypeLocalized: boolean): FieldModel {
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
    fieldFallback: type.fieldFallback ?? false,
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

type Members = Readonly<Record<string, unknown>>;

/** Without the keys that have their default. */
function withoutDefaults<T extends object>(item: T, defaults: Members): Partial<T> {
  const kept = Object.entries(item).filter(
    ([key, value]) => !(Object.hasOwn(defaults, key) && isEqualJson(value, defaults[key])),
  );
  return Object.fromEntries(kept) as Partial<T>;
}

function compactField(field: FieldModel, isTypeLocalized: boolean): SchemaField {
  const { apiName, type } = field;
  const {
    apiName: _apiName,
    name: _name,
    type: _type,
    ...defaults
  } = normalizeField({ apiName, type }, isTypeLocalized);
  return withoutDefaults(field, defaults) as SchemaField;
}

const typeDefaults = {
  description: null,
  isPage: false,
  isBlock: false,
  isSingleton: false,
  isLocalized: true,
  fieldFallback: false,
  workflowSlug: null,
  slugPattern: null,
  previewPath: null,
};

const compactType = ({ fields, ...type }: ContentTypeModel) => ({
  ...withoutDefaults(type, typeDefaults),
  fields: fields.map((field) => compactField(field, type.isLocalized)),
});

const customTypeDefaults = {
  description: null,
  graphqlTypeName: null,
  defaultValue: null,
  editor: null,
  indexAs: 'none',
};

const workflowDefaults = {
  isDefault: false,
  contentTypes: [],
  sites: [],
  enforcement: 'advisory',
  perLocale: false,
  transitions: [],
};
const stateDefaults = { color: null, isInitial: false, allowsPublish: false, editableBy: [] };
const transitionDefaults = { roles: [], requireComment: false, requireAssignee: false, approvals: null };

/** The document to keep in version control: names first, no key with its default. */
export function compactDocument({
  contentTypes,
  customFieldTypes,
  workflows,
  roles,
}: SchemaModel): SchemaDocument {
  return {
    ...(contentTypes && { contentTypes: contentTypes.map(compactType) }),
    ...(customFieldTypes && {
      customFieldTypes: customFieldTypes.map((type) => withoutDefaults(type, customTypeDefaults)),
    }),
    ...(workflows && {
      workflows: workflows.map(({ states, transitions, ...workflow }) => ({
        ...withoutDefaults(workflow, workflowDefaults),
        states: states.map((state) => withoutDefaults(state, stateDefaults)),
        transitions: transitions.map((transition) => withoutDefaults(transition, transitionDefaults)),
      })),
    }),
    ...(roles && {
      roles: roles.map(({ grants, ...role }) => ({
        ...withoutDefaults(role, { description: null }),
        grants: grants.map((grant) => withoutDefaults(grant, { scope: {} })),
      })),
    }),
  } as SchemaDocument;
}

/** Names of `before` that a shortest way to the order of `after` moves. Names that only one list has do not count. */
export function movedNames(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const places = new Map(before.map((name, index) => [name, index]));
  const common = after.filter((name) => places.has(name));
  /** For each name, the longest chain of increasing places that ends with it. */
  const chains: string[][] = [];
  for (const name of common) {
    const place = places.get(name) ?? 0;
    const best = chains
      .filter((chain) => (places.get(chain.at(-1) ?? '') ?? 0) < place)
      .reduce<string[]>((longest, chain) => (chain.length > longest.length ? chain : longest), []);
    chains.push([...best, name]);
  }
  const kept = new Set(
    chains.reduce<string[]>((longest, chain) => (chain.length > longest.length ? chain : longest), []),
  );
  return new Set(common.filter((name) => !kept.has(name)));
}

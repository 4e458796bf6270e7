import type { SchemaField } from '../../../contracts/resources/field.js';
import type { SchemaDocument } from '../../../contracts/vocabulary/schema-document.js';
import { isEqualJson } from '../exact-json/canonical-json.js';
import { normalizeField } from './normalize.js';
import type { ContentTypeModel, FieldModel, SchemaModel } from './schema-model.js';

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

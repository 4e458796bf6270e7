import type {
  SchemaContentType,
  SchemaCustomFieldType,
  SchemaDocument,
  SchemaRole,
  SchemaStep,
} from '../../../contracts/deployment/schema/schema-plan.js';
import type { SchemaField } from '../../../contracts/content/fields/field.js';
import type { SchemaWorkflow } from '../../../contracts/content/workflows/workflow.js';

/** Every key has a value; `undefined` remains only where it means the absence of a rename. */
type Complete<T, Rest extends keyof T = never> = {
  [K in Exclude<keyof T, Rest>]-?: Exclude<T[K], undefined>;
};

export type FieldModel = Complete<SchemaField, 'renamedFrom'>;
export type ContentTypeModel = Complete<SchemaContentType, 'renamedFrom' | 'fields'> & {
  fields: readonly FieldModel[];
};
export type CustomFieldTypeModel = Complete<SchemaCustomFieldType>;

type Item<T> = T extends readonly (infer I)[] ? I : never;
type StateModel = Complete<Item<SchemaWorkflow['states']>>;
type TransitionModel = Omit<Complete<Item<NonNullable<SchemaWorkflow['transitions']>>>, 'approvals'> & {
  approvals: { required: number; roles: string[]; distinctFromAuthor: boolean } | null;
};
export type WorkflowModel = Omit<Complete<SchemaWorkflow>, 'states' | 'transitions'> & {
  states: StateModel[];
  transitions: TransitionModel[];
};

export type GrantModel = Complete<Item<SchemaRole['grants']>>;
export type RoleModel = Omit<Complete<SchemaRole>, 'grants'> & { grants: GrantModel[] };

/** A document in which every key has a value and sets are sorted, so that equal schemas are equal. */
export interface SchemaModel {
  readonly contentTypes?: readonly ContentTypeModel[] | undefined;
  readonly customFieldTypes?: readonly CustomFieldTypeModel[] | undefined;
  readonly workflows?: readonly WorkflowModel[] | undefined;
  readonly roles?: readonly RoleModel[] | undefined;
}

export const sections = [
  'contentTypes',
  'customFieldTypes',
  'workflows',
  'roles',
] as const satisfies readonly (keyof SchemaModel)[];

/** A step without what depends on stored entries. */
export type SchemaChange = Omit<SchemaStep, 'lost' | 'blocker'>;

/** Renames that a document declares, by the new name; those of fields by type and name. */
export interface DeclaredRenames {
  readonly contentTypes: ReadonlyMap<string, string>;
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const declared = (items: readonly { apiName: string; renamedFrom?: string | undefined }[]) =>
  new Map(
    items.flatMap(({ apiName, renamedFrom }) =>
      renamedFrom === undefined ? [] : [[apiName, renamedFrom] as const],
    ),
  );

export function declaredRenames({ contentTypes = [] }: SchemaDocument): DeclaredRenames {
  return {
    contentTypes: declared(contentTypes),
    fields: new Map(contentTypes.map(({ apiName, fields }) => [apiName, declared(fields)])),
  };
}

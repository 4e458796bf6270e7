import { byName, normalizeRole, normalizeWorkflow } from '../../../../content/schema/normalize.js';
import type { ContentTypeModel, RoleModel, SchemaModel } from '../../../../content/schema/schema-model.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import {
  SchemaRepository,
  type StoredGrant,
  type StoredRole,
  type StoredWorkflow,
} from './schema.repository.js';

/** The stored schema with the ids that its names stand for. */
export interface StoredSchema {
  readonly model: { readonly [Section in keyof SchemaModel]-?: NonNullable<SchemaModel[Section]> };
  /** By apiName. */
  readonly typeIds: ReadonlyMap<string, string>;
  /** By apiName of the type and of the field. */
  readonly fieldIds: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly siteIds: ReadonlyMap<string, string>;
  /** By slug, system roles included. */
  readonly roles: ReadonlyMap<string, StoredRole>;
  /** Grants that a document can express. */
  readonly grants: readonly (StoredGrant & { readonly model: RoleModel['grants'][number] })[];
}

type Names = ReadonlyMap<string, string>;

const namesOf = (ids: readonly string[], names: Names): string[] => ids.flatMap((id) => names.get(id) ?? []);

function workflowModel(stored: StoredWorkflow, names: { types: Names; sites: Names; roles: Names }) {
  const { contentTypeIds, siteIds, states, transitions, ...rest } = stored;
  return normalizeWorkflow({
    ...rest,
    contentTypes: namesOf(contentTypeIds, names.types),
    sites: namesOf(siteIds, names.sites),
    states: states.map((state) => ({ ...state, editableBy: namesOf(state.editableBy, names.roles) })),
    transitions: transitions.map(({ roleIds, approvals, ...transition }) => ({
      ...transition,
      roles: namesOf(roleIds, names.roles),
      approvals: approvals && {
        required: approvals.required,
        distinctFromAuthor: approvals.distinctFromAuthor,
        roles: namesOf(approvals.roleIds, names.roles),
      },
    })),
  });
}

/** Undefined for a grant that names a tree node, or what has no name here. */
function grantModel(
  { resource, action, scope }: StoredGrant,
  names: { types: Names; sites: Names },
): RoleModel['grants'][number] | undefined {
  const { contentTypes, siteIds, treeNodeIds, ...rest } = scope;
  const isUnnamed =
    contentTypes?.some((id) => !names.types.has(id)) === true ||
    siteIds?.some((id) => !names.sites.has(id)) === true;
  if (treeNodeIds !== undefined || isUnnamed) return undefined;
  const named = {
    ...rest,
    ...(contentTypes && { contentTypes: namesOf(contentTypes, names.types) }),
    ...(siteIds && { sites: namesOf(siteIds, names.sites) }),
  };
  const grant = { resource, action, scope: named } as RoleModel['grants'][number];
  return normalizeRole({ slug: '', name: '', grants: [grant] }).grants[0];
}

interface Rows {
  readonly types: Awaited<ReturnType<SchemaRepository['contentTypes']>>;
  readonly fields: Awaited<ReturnType<SchemaRepository['fields']>>;
  readonly roles: readonly StoredRole[];
}

function typeModels({ types, fields }: Rows): ContentTypeModel[] {
  const byType = Map.groupBy(fields, ({ contentTypeId }) => contentTypeId);
  const models = types.map(({ id, ...type }) => ({
    ...type,
    fields: (byType.get(id) ?? []).map(({ id: _id, contentTypeId: _type, ...field }) => field),
  }));
  return byName(models, ({ apiName }) => apiName);
}

function roleModels({ roles }: Rows, grants: StoredSchema['grants']): RoleModel[] {
  const byRole = Map.groupBy(grants, ({ roleId }) => roleId);
  const models = roles
    .filter(({ isSystem }) => !isSystem)
    .map(({ id, slug, name, description }) =>
      normalizeRole({ slug, name, description, grants: (byRole.get(id) ?? []).map(({ model }) => model) }),
    );
  return byName(models, ({ slug }) => slug);
}

function fieldIdsOf({ types, fields }: Rows): StoredSchema['fieldIds'] {
  const byType = Map.groupBy(fields, ({ contentTypeId }) => contentTypeId);
  return new Map(
    types.map(({ id, apiName }) => [
      apiName,
      new Map((byType.get(id) ?? []).map((field) => [field.apiName, field.id])),
    ]),
  );
}

/** The whole schema of the environment, in the order of an export. The number of statements is constant. */
export async function readSchema(work: UnitOfWork): Promise<StoredSchema> {
  const repository = work.use(SchemaRepository);
  const [types, fields, customFieldTypes, workflows, sites, roles, storedGrants] = await Promise.all([
    repository.contentTypes(),
    repository.fields(),
    repository.customFieldTypes(),
    repository.workflows(),
    repository.sites(),
    repository.roles(),
    repository.grants(),
  ]);
  const rows = { types, fields, roles };
  const names = {
    types: new Map(types.map(({ id, apiName }) => [id, apiName])),
    sites: new Map(sites.map(({ id, slug }) => [id, slug])),
    roles: new Map(roles.map(({ id, slug }) => [id, slug])),
  };
  const grants = storedGrants.flatMap((grant) => {
    const model = grantModel(grant, names);
    return model === undefined ? [] : [{ ...grant, model }];
  });
  const workflowModels = workflows.map((workflow) => workflowModel(workflow, names));
  return {
    model: {
      contentTypes: typeModels(rows),
      customFieldTypes: byName(customFieldTypes, ({ apiName }) => apiName),
      workflows: byName(workflowModels, ({ slug }) => slug),
      roles: roleModels(rows, grants),
    },
    typeIds: new Map(types.map(({ id, apiName }) => [apiName, id])),
    fieldIds: fieldIdsOf(rows),
    siteIds: new Map(sites.map(({ id, slug }) => [slug, id])),
    roles: new Map(roles.map((role) => [role.slug, role])),
    grants,
  };
}

import { z } from 'zod';
import { limits } from '../../limits.js';
import { actions, type ProjectResource } from '../../rights.js';
import { ApiName, Description, Id, LocaleCode, Name, ScopeSlug, Timestamp } from '../../primitives.js';

/** Exist in every project (rule access/grants). */
export const systemRoles = [
  'owner',
  'admin',
  'developer',
  'editor',
  'author',
  'translator',
  'viewer',
] as const;
export type SystemRole = (typeof systemRoles)[number];

export const Role = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    isSystem: z
      .boolean()
      .meta({ description: 'Whether the role exists in every project. System roles cannot be changed.' }),
    memberCount: z.int().meta({ description: 'Number of users with the role.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Role', description: 'A set of grants that can be assigned to users.' });
export type Role = z.infer<typeof Role>;

const Action = z.enum([...actions, '*']).meta({
  description:
    'Permitted action. `*` means all but `override` and `import`; `manage` means read, create, update and delete.',
  example: 'update',
});
export type GrantResource = ProjectResource | '*';
export type GrantAction = z.infer<typeof Action>;

const listOf = <S extends z.ZodType>(item: S, description: string) =>
  z.array(item).max(limits.grantScopeValues).optional().meta({ description });

const EntryKey = z.union([ApiName, z.literal('_slug')]);

/** An omitted or empty key limits nothing. */
const GrantScope = z
  .strictObject({
    contentTypes: listOf(ApiName, 'API names of content types.'),
    siteIds: listOf(Id, 'Ids of sites.'),
    locales: listOf(LocaleCode, 'Locales that can be written.'),
    fields: listOf(EntryKey, 'API names of the fields that can be written, `_slug` for the slug.'),
    environments: listOf(ScopeSlug, 'Slugs of environments.'),
    treeNodeIds: listOf(Id, 'Ids of tree nodes, including their descendants.'),
    ownOnly: z
      .boolean()
      .optional()
      .meta({ description: 'Limits the grant to resources created by the caller.' }),
  })
  .meta({ id: 'GrantScope', description: 'Where a grant applies. Empty means everywhere.' });
export type GrantScope = z.infer<typeof GrantScope>;

export const PermissionGrant = z
  .object({
    id: z.string(),
    resource: z.string(),
    action: z.string().meta({ description: 'Action that is permitted.' }),
    scope: z.object({
      contentTypes: z.array(z.string()).optional(),
      siteIds: z.array(z.string()).optional(),
      locales: z.array(z.string()).optional(),
      fields: z
        .array(z.string())
        .optional()
        .meta({ description: 'API names of the fields that can be written.', example: ['title'] }),
      environments: z.array(z.string()).optional(),
      treeNodeIds: z.array(z.string()).optional(),
      ownOnly: z.boolean().optional(),
    }),
    createdAt: Timestamp,
  })
  .meta({ id: 'PermissionGrant', description: 'A permission of a role. Grants are additive.' });
export type PermissionGrant = z.infer<typeof PermissionGrant>;

/** `slug` defaults to one made from the name. */
export const roleInput = { name: Name, slug: ScopeSlug.optional(), description: Description.nullish() };

export const roleChange = { name: Name.optional(), description: Description.nullish() };

/** The scope of a grant in a schema document. Tree nodes have no names, so grants limited to them are not part of it. */
const SchemaGrantScope = GrantScope.omit({ siteIds: true, treeNodeIds: true })
  .extend({ sites: listOf(ScopeSlug, 'Slugs of sites.') })
  .meta({ id: 'SchemaGrantScope', description: 'Where a grant of a schema document applies.' });

export const schemaRole = (resource: z.ZodType<string>) =>
  z
    .strictObject({
      slug: ScopeSlug,
      name: Name,
      description: Description.nullish(),
      grants: z
        .array(z.strictObject({ resource, action: Action, scope: SchemaGrantScope.optional() }))
        .max(limits.grantsPerRole)
        .default([]),
    })
    .meta({ id: 'SchemaRole', description: 'A role in a schema document. System roles are not part of it.' });

export const grantInput = { action: Action, scope: GrantScope.default({}) };

import { z } from 'zod';
import { limits } from '../limits.js';
import { actions, projectResources } from '../rights.js';
import { ApiName, Description, Id, LocaleCode, Name, ScopeSlug, Timestamp } from '../primitives.js';

/** Roles that every project has from its beginning (decisions 2.18). */
export const systemRoles = [
  'owner',
  'admin',
  'developer',
  'editor',
  'author',
  'translator',
  'viewer',
] as const;
/** The slug of a system role. */
export type SystemRole = (typeof systemRoles)[number];

/** A role of a project. */
export const Role = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    isSystem: z.boolean().meta({ description: 'Whether every project has it; it can then not be changed.' }),
    memberCount: z.int().meta({ description: 'How many users have it.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Role', description: 'A role: a set of grants that users are given together.' });
export type Role = z.infer<typeof Role>;

const Resource = z.enum([...projectResources, '*']).meta({
  description: 'What the grant is about; `*` is everything.',
  example: 'entries',
});
const Action = z.enum([...actions, '*']).meta({
  description: 'What it permits; `*` is every action, `manage` the four of read, create, update and delete.',
  example: 'update',
});
/** The resource that a grant names. */
export type GrantResource = z.infer<typeof Resource>;
/** The action that a grant names. */
export type GrantAction = z.infer<typeof Action>;

const listOf = <S extends z.ZodType>(item: S, description: string) =>
  z.array(item).max(limits.grantScopeValues).optional().meta({ description });

const EntryKey = z.union([ApiName, z.literal('_slug')]);

/** Where a grant applies; a key that is absent or empty limits nothing. */
const GrantScope = z
  .strictObject({
    contentTypes: listOf(ApiName, 'API names of content types.'),
    siteIds: listOf(Id, 'Ids of sites.'),
    locales: listOf(LocaleCode, 'Locales that may be written.'),
    fields: listOf(EntryKey, 'API names of the fields that may be written, `_slug` for the slug.'),
    environments: listOf(ScopeSlug, 'Slugs of environments.'),
    treeNodeIds: listOf(Id, 'Ids of tree nodes, including their descendants.'),
    ownOnly: z.boolean().optional().meta({ description: 'Only what the caller has made.' }),
  })
  .meta({ id: 'GrantScope', description: 'Where a grant applies; empty means everywhere.' });
export type GrantScope = z.infer<typeof GrantScope>;

/** A grant of a role. */
export const PermissionGrant = z
  .object({
    id: z.string(),
    resource: z.string(),
    action: z.string(),
    scope: z.object({
      contentTypes: z.array(z.string()).optional(),
      siteIds: z.array(z.string()).optional(),
      locales: z.array(z.string()).optional(),
      fields: z.array(z.string()).optional(),
      environments: z.array(z.string()).optional(),
      treeNodeIds: z.array(z.string()).optional(),
      ownOnly: z.boolean().optional(),
    }),
    createdAt: Timestamp,
  })
  .meta({ id: 'PermissionGrant', description: 'One thing that a role permits; grants add up.' });
export type PermissionGrant = z.infer<typeof PermissionGrant>;

/** Keys of a new role; without a slug it is made from the name. */
export const roleInput = { name: Name, slug: ScopeSlug.optional(), description: Description.nullish() };

/** Keys of a change of a role. */
export const roleChange = { name: Name.optional(), description: Description.nullish() };

/** Keys of a new grant. */
export const grantInput = { resource: Resource, action: Action, scope: GrantScope.default({}) };

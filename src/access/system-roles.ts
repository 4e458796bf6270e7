import { createHash } from 'node:crypto';
import { projectResources, type ProjectResource } from '../../contracts/rights.js';
import type { GrantAction, GrantResource, SystemRole } from '../../contracts/access/roles/role.js';
import type { Grant, Scope } from './grants.js';

type Permissions = Partial<Record<GrantResource, readonly GrantAction[]>>;

const all = ['*'] as const;
const read = ['read'] as const;

/** Read-only for roles that write content. */
const structure: Permissions = {
  contentTypes: read,
  customFieldTypes: read,
  sites: read,
  environments: read,
  workflows: read,
};
const look: Permissions = { search: read, calendar: read, releases: read, views: all };

/** Only owners change who has the role `owner`. */
const everywhere: Record<SystemRole, Permissions> = {
  owner: { '*': all, workflows: ['override'], entries: ['import'] },
  admin: { '*': all, workflows: ['override'], entries: ['import'] },
  developer: {
    ...Object.fromEntries(projectResources.map((resource): [ProjectResource, typeof all] => [resource, all])),
    roles: read,
    users: read,
    ipAllowlist: read,
    auditLogs: read,
  },
  editor: {
    ...structure,
    ...look,
    entries: all,
    releases: all,
    tree: all,
    media: all,
    redirects: all,
    translations: all,
    search: all,
    calendar: all,
    users: read,
    reports: all,
    governance: read,
  },
  author: { ...structure, ...look, entries: ['read', 'create'], tree: read, media: ['read', 'create'] },
  translator: {
    ...structure,
    ...look,
    entries: ['read', 'update', 'transition'],
    tree: read,
    media: ['read', 'update'],
    translations: ['read', 'update'],
  },
  viewer: {
    ...structure,
    ...look,
    entries: read,
    tree: read,
    media: read,
    redirects: read,
    translations: read,
    reports: read,
    governance: read,
  },
};

/** Permissions for what the caller created. */
const own: Partial<Record<SystemRole, Permissions>> = {
  author: { entries: ['update', 'delete', 'transition'], media: ['update', 'delete'] },
};

const grantsOf = (permissions: Permissions, scope: Scope): Grant[] =>
  Object.entries(permissions).flatMap(([resource, granted]) =>
    granted.map((action): Grant => ({ resource: resource, action, scope })),
  );

const isSystemRole = (slug: string): slug is SystemRole => slug in everywhere;

/** The same in every project. */
export function systemGrants(slug: string): readonly Grant[] {
  if (!isSystemRole(slug)) return [];
  return [...grantsOf(everywhere[slug], {}), ...grantsOf(own[slug] ?? {}, { ownOnly: true })];
}

/** Derived from the grant, because grants of system roles are not stored. */
export function systemGrantId(roleId: string, { resource, action, scope }: Grant): string {
  const hash = createHash('sha256')
    .update(`${roleId} ${resource} ${action} ${JSON.stringify(scope)}`)
    .digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.subarray(0, 16).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

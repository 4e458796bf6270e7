/** The verbs that credentials permit (specification 5 rule 4, decisions 2.18). */
export type Action = (typeof actions)[number];

/** Every action that a grant may name, `*` aside. */
export const actions = [
  'read',
  'create',
  'update',
  'delete',
  'publish',
  'unpublish',
  'transition',
  'promote',
  'manage',
] as const;

/** Every resource of a project that a grant may name, `*` aside (decisions 2.18). */
export const projectResources = [
  'entries',
  'contentTypes',
  'customFieldTypes',
  'tree',
  'sites',
  'media',
  'redirects',
  'environments',
  'workflows',
  'translations',
  'views',
  'apiKeys',
  'webhooks',
  'roles',
  'users',
  'auditLogs',
  'search',
  'calendar',
  'reports',
  'governance',
  'ipAllowlist',
] as const;
/** A resource of a project. */
export type ProjectResource = (typeof projectResources)[number];

/** Rules access/keys and access/grants. */
export type Action = (typeof actions)[number];

/** Actions of grants, besides `*`, which covers all but `override` and `import`. */
export const actions = [
  'read',
  'create',
  'update',
  'delete',
  'publish',
  'unpublish',
  'transition',
  'promote',
  'override',
  'import',
  'manage',
] as const;

/** Resources of grants, besides `*` (rule access/grants). */
export const projectResources = [
  'entries',
  'releases',
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
export type ProjectResource = (typeof projectResources)[number];

/** Groups of MCP tools (rule mcp/toolsets). */
export const toolsets = ['content', 'structure', 'editorial', 'media', 'insight'] as const;
export type Toolset = (typeof toolsets)[number];

import type { Registry } from '../../contracts/index.js';

/** Roles of the matrix: the system's, and one that may read and update articles. */
type Role = 'owner' | 'admin' | 'developer' | 'editor' | 'author' | 'translator' | 'viewer' | 'scoped';

/** What an operation asks of a key, and which roles may call it. */
interface ManagementRow {
  readonly audience: 'management';
  readonly key: 'read' | 'create' | 'update' | 'publish' | 'unpublish' | 'delete' | 'any';
  readonly roles: readonly Role[];
}

/** One operation of the table. */
export type Row = ManagementRow | { readonly audience: 'delivery' | 'platform' | 'session' };

const row =
  (...roles: Role[]) =>
  (key: ManagementRow['key']): ManagementRow => ({ audience: 'management', key, roles });

const lead = ['owner', 'admin'] as const;
const build = [...lead, 'developer'] as const;
const edit = [...build, 'editor'] as const;
const everyone = [...edit, 'author', 'translator', 'viewer'] as const;

const leads = row(...lead);
const builders = row(...build);
const editors = row(...edit);
const editorsAndViewers = row(...edit, 'viewer');
const membersAndScoped = row(...everyone, 'scoped');
const members = row(...everyone);
const changers = row(...edit, 'author', 'translator', 'scoped');
const makers = row(...edit, 'author');

const delivery: Row = { audience: 'delivery' };
const platform: Row = { audience: 'platform' };
const session: Row = { audience: 'session' };

/**
 * Who may call what: the declared table (specification 5, decisions 2.2 and 2.18). An operation without
 * a row does not compile. Which rows of a table a role reaches is for the tests of each feature.
 */
export const accessTable: {
  readonly [Group in keyof Registry]: { readonly [Verb in keyof Registry[Group]]: Row };
} = {
  delivery: { getEntry: delivery, listContent: delivery, resolveRoute: delivery, getSitemap: delivery },
  contentTypes: {
    list: members('read'),
    create: builders('create'),
    get: members('read'),
    update: builders('update'),
    delete: builders('delete'),
    checkDelete: members('read'),
    rename: builders('update'),
  },
  fields: {
    list: members('read'),
    create: builders('update'),
    update: builders('update'),
    delete: builders('update'),
    rename: builders('update'),
  },
  customFieldTypes: {
    list: members('read'),
    create: builders('create'),
    update: builders('update'),
    delete: builders('delete'),
  },
  entries: {
    list: membersAndScoped('read'),
    create: makers('create'),
    get: membersAndScoped('read'),
    update: changers('update'),
    delete: makers('delete'),
    publish: editors('publish'),
    unpublish: editors('unpublish'),
    duplicate: makers('create'),
    copyLocale: changers('update'),
    undelete: makers('delete'),
    preview: membersAndScoped('read'),
    validate: membersAndScoped('read'),
    listReferences: membersAndScoped('read'),
    listVersions: membersAndScoped('read'),
    getVersion: membersAndScoped('read'),
    diffVersions: membersAndScoped('read'),
    restoreVersion: changers('update'),
    restore: changers('update'),
    bulk: membersAndScoped('any'),
    getValues: membersAndScoped('read'),
    search: membersAndScoped('read'),
  },
  sites: {
    list: members('read'),
    create: builders('create'),
    get: members('read'),
    update: builders('update'),
    delete: builders('delete'),
  },
  redirects: {
    list: editorsAndViewers('read'),
    create: editors('create'),
    update: editors('update'),
    delete: editors('delete'),
    import: editors('create'),
    export: editorsAndViewers('read'),
  },
  tree: {
    get: members('read'),
    getGlobal: members('read'),
    listNodes: members('read'),
    createNode: editors('create'),
    updateNode: editors('update'),
    deleteNode: editors('delete'),
    moveNode: editors('update'),
  },
  apiKeys: {
    list: builders('read'),
    create: builders('create'),
    get: builders('read'),
    update: builders('update'),
    rotate: builders('update'),
    revoke: builders('delete'),
  },
  webhooks: {
    list: builders('read'),
    create: builders('create'),
    update: builders('update'),
    delete: builders('delete'),
    rotateSecret: builders('update'),
    test: builders('update'),
    listDeliveries: builders('read'),
    redeliver: builders('update'),
  },
  roles: {
    list: builders('read'),
    create: leads('create'),
    get: builders('read'),
    update: leads('update'),
    delete: leads('delete'),
    listGrants: builders('read'),
    createGrant: leads('update'),
    deleteGrant: leads('update'),
  },
  users: {
    list: editors('read'),
    create: leads('create'),
    get: editors('read'),
    update: leads('update'),
    remove: leads('delete'),
  },
  ipAllowlist: {
    list: builders('read'),
    create: leads('create'),
    set: leads('update'),
    update: leads('update'),
    delete: leads('delete'),
  },
  audit: {
    listLogs: builders('read'),
    listEvents: builders('read'),
    exportEvents: builders('read'),
    verify: builders('read'),
  },
  locales: { list: members('read') },
  tenants: { list: platform, create: platform, get: platform, update: platform, deactivate: platform },
  projects: { list: platform, create: platform },
  sessions: { login: session, refresh: session, logout: session },
};

/** What a credential is in the matrix. */
export type Credential =
  | {
      readonly kind:
        'none' | 'malformed' | 'broken_token' | 'expired' | 'revoked' | 'other_project' | 'other_tenant';
    }
  | { readonly kind: 'key'; readonly type: 'delivery' | 'preview' | 'management'; readonly action?: string }
  | { readonly kind: 'member'; readonly role: Role }
  | { readonly kind: 'suspended' | 'outsider' | 'super_admin' };

/** `passed`: whatever follows the gate, such as what becomes of an empty input. */
export type Outcome = 'passed' | readonly [status: number, code: string];

const denied = [403, 'permission_denied'] as const;
const session401 = [401, 'invalid_session'] as const;
const noKey = [401, 'invalid_api_key'] as const;

function onDelivery(credential: Credential): Outcome {
  switch (credential.kind) {
    case 'none':
      return 'passed';
    case 'key':
      return credential.action === undefined || credential.action === 'read' ? 'passed' : denied;
    case 'other_project':
    case 'other_tenant':
      return [403, 'wrong_project'];
    default:
      return noKey;
  }
}

function onManagement({ key, roles }: ManagementRow, credential: Credential): Outcome {
  switch (credential.kind) {
    case 'none':
      return [401, 'unauthorized'];
    case 'key':
      if (credential.type !== 'management') return [403, 'wrong_key_type'];
      return credential.action === undefined || key === 'any' || credential.action === key
        ? 'passed'
        : denied;
    case 'other_project':
    case 'other_tenant':
    case 'outsider':
      return [403, 'wrong_project'];
    case 'member':
      return roles.includes(credential.role) ? 'passed' : denied;
    case 'suspended':
      return denied;
    case 'super_admin':
      return 'passed';
    default:
      return noKey;
  }
}

/** What the table declares for a credential. */
export function declared(row: Row, credential: Credential): Outcome {
  if (row.audience === 'session') return 'passed';
  if (credential.kind === 'expired') return [401, 'api_key_expired'];
  if (credential.kind === 'revoked') return [401, 'api_key_revoked'];
  if (credential.kind === 'broken_token') return row.audience === 'delivery' ? noKey : session401;
  if (row.audience === 'delivery') return onDelivery(credential);
  if (row.audience === 'management') return onManagement(row, credential);
  if (credential.kind === 'none') return [401, 'unauthorized'];
  if (credential.kind === 'malformed') return noKey;
  return credential.kind === 'super_admin' ? 'passed' : [403, 'super_admin_required'];
}

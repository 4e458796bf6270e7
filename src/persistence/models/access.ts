import type { Sequelize } from 'sequelize';
import { columns as c, defineTable, times, type Attributes } from './columns.js';

export interface TenantRow {
  id: string;
  slug: string;
  name: string;
  status: 'active' | 'deactivated';
  defaultLocale: string;
  dataRegion: string | null;
  limits: object;
  mailSender: { name: string | null; address: string | null; replyTo: string | null };
  requireSecondFactor: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export interface LocaleRow {
  tenantId: string;
  code: string;
  name: string;
  fallbackCode: string | null;
  isActive: boolean;
  position: number;
}

export interface ProjectRow {
  tenantId: string;
  id: string;
  slug: string;
  name: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface EnvironmentRow {
  tenantId: string;
  projectId: string;
  id: string;
  slug: string;
  name: string;
  description: string | null;
  isDefault: boolean;
  isProtected: boolean;
  status: 'creating' | 'ready' | 'promoting' | 'failed' | 'deleting';
  /** The one it was copied from, which may be gone. */
  baseEnvironmentId: string | null;
  createdAt: Date;
  createdBy: object;
  updatedAt: Date;
}

/** `tenantId` is null for users of the platform. */
export interface UserRow {
  id: string;
  tenantId: string | null;
  email: string;
  name: string;
  passwordHash: string | null;
  isSuperAdmin: boolean;
  status: 'active' | 'invited' | 'suspended';
  avatarUrl: string | null;
  lastActiveAt: Date | null;
  isTenantOwner: boolean;
  /** Of the admin app, such as `de`; null: that of the browser. */
  language: string | null;
  timeZone: string | null;
  theme: 'light' | 'dark' | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface RoleRow {
  tenantId: string;
  projectId: string;
  id: string;
  slug: string;
  name: string;
  description: string | null;
  isSystem: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export interface ApiKeyRow {
  tenantId: string;
  projectId: string;
  id: string;
  name: string;
  description: string | null;
  type: 'delivery' | 'preview' | 'management';
  permissions: string[];
  siteIds: string[];
  environmentId: string | null;
  selectedEnvironmentId: string | null;
  prefix: string;
  lastFour: string;
  secretHash: Buffer;
  /** The replaced secret, valid until `previousSecretExpiresAt`. */
  previousSecretHash: Buffer | null;
  previousSecretExpiresAt: Date | null;
  /** Requests per minute; null: the default of the type. */
  rateLimit: number | null;
  /** Empty means all networks. */
  ipAllowlist: string[];
  draftOnly: boolean;
  /** Groups of MCP tools; empty means all. */
  toolsets: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  requireConfirmation: boolean;
  /** It acts for the user in `createdBy`. */
  oauthClientId: string | null;
  createdAt: Date;
  createdBy: object;
  updatedAt: Date;
}

const tenants = (): Attributes<TenantRow> => ({
  id: c.key(c.id()),
  slug: c.text(),
  name: c.text(),
  status: c.text(),
  defaultLocale: c.text(),
  dataRegion: c.nullable(c.text()),
  limits: c.json(),
  mailSender: c.json(),
  requireSecondFactor: c.boolean(),
  ...times(),
});

const locales = (): Attributes<LocaleRow> => ({
  tenantId: c.key(c.id()),
  code: c.key(c.text()),
  name: c.text(),
  fallbackCode: c.nullable(c.text()),
  isActive: c.boolean(),
  position: c.integer(),
});

const projects = (): Attributes<ProjectRow> => ({
  tenantId: c.key(c.id()),
  id: c.key(c.id()),
  slug: c.text(),
  name: c.text(),
  ...times(),
});

const environments = (): Attributes<EnvironmentRow> => ({
  tenantId: c.key(c.id()),
  projectId: c.id(),
  id: c.key(c.id()),
  slug: c.text(),
  name: c.text(),
  description: c.nullable(c.text()),
  isDefault: c.boolean(),
  isProtected: c.boolean(),
  status: c.text(),
  baseEnvironmentId: c.nullable(c.id()),
  createdBy: c.json(),
  ...times(),
});

const users = (): Attributes<UserRow> => ({
  id: c.key(c.id()),
  tenantId: c.nullable(c.id()),
  email: c.text(),
  name: c.text(),
  passwordHash: c.nullable(c.text()),
  isSuperAdmin: c.boolean(),
  status: c.text(),
  avatarUrl: c.nullable(c.text()),
  lastActiveAt: c.nullable(c.time()),
  isTenantOwner: c.boolean(),
  language: c.nullable(c.text()),
  timeZone: c.nullable(c.text()),
  theme: c.nullable(c.text()),
  ...times(),
});

const roles = (): Attributes<RoleRow> => ({
  tenantId: c.key(c.id()),
  projectId: c.id(),
  id: c.key(c.id()),
  slug: c.text(),
  name: c.text(),
  description: c.nullable(c.text()),
  isSystem: c.boolean(),
  ...times(),
});

const apiKeys = (): Attributes<ApiKeyRow> => ({
  tenantId: c.key(c.id()),
  projectId: c.id(),
  id: c.key(c.id()),
  name: c.text(),
  description: c.nullable(c.text()),
  type: c.text(),
  permissions: c.texts(),
  siteIds: c.ids(),
  environmentId: c.nullable(c.id()),
  selectedEnvironmentId: c.nullable(c.id()),
  prefix: c.text(),
  lastFour: c.text(),
  secretHash: c.bytes(),
  previousSecretHash: c.nullable(c.bytes()),
  previousSecretExpiresAt: c.nullable(c.time()),
  rateLimit: c.nullable(c.integer()),
  ipAllowlist: c.texts(),
  draftOnly: c.boolean(),
  toolsets: c.texts(),
  expiresAt: c.nullable(c.time()),
  revokedAt: c.nullable(c.time()),
  lastUsedAt: c.nullable(c.time()),
  requireConfirmation: c.boolean(),
  oauthClientId: c.nullable(c.id()),
  createdBy: c.json(),
  ...times(),
});

export function defineAccessModels(sequelize: Sequelize) {
  return {
    tenants: defineTable<TenantRow>(sequelize, 'tenants', tenants()),
    locales: defineTable<LocaleRow>(sequelize, 'locales', locales()),
    projects: defineTable<ProjectRow>(sequelize, 'projects', projects()),
    environments: defineTable<EnvironmentRow>(sequelize, 'environments', environments()),
    users: defineTable<UserRow>(sequelize, 'users', users()),
    roles: defineTable<RoleRow>(sequelize, 'roles', roles()),
    apiKeys: defineTable<ApiKeyRow>(sequelize, 'api_keys', apiKeys()),
  };
}

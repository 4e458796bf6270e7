import type { Model, ModelStatic, Sequelize } from 'sequelize';
import { columns as c } from './columns.js';

/** A row of `tenants`. */
export interface TenantRow {
  id: string;
  slug: string;
  name: string;
  status: 'active' | 'deactivated';
  defaultLocale: string;
  dataRegion: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A row of `locales`. */
export interface LocaleRow {
  tenantId: string;
  code: string;
  name: string;
  fallbackCode: string | null;
  isActive: boolean;
  position: number;
}

/** A row of `projects`. */
export interface ProjectRow {
  tenantId: string;
  id: string;
  slug: string;
  name: string;
  createdAt: Date;
  updatedAt: Date;
}

/** A row of `environments`. */
export interface EnvironmentRow {
  tenantId: string;
  projectId: string;
  id: string;
  slug: string;
  name: string;
  isDefault: boolean;
  isProtected: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** A row of `users`. `tenantId` is null for users of the platform. */
export interface UserRow {
  id: string;
  tenantId: string | null;
  email: string;
  name: string;
  passwordHash: string | null;
  isSuperAdmin: boolean;
  status: 'active' | 'invited' | 'suspended';
  createdAt: Date;
  updatedAt: Date;
}

/** A row of `api_keys`; of the secret only the hash. */
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
  prefix: string;
  lastFour: string;
  secretHash: Buffer;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
  createdBy: object;
  updatedAt: Date;
}

type Table<Row extends object> = ModelStatic<Model<Row, Row>>;
const times = () => ({ createdAt: c.time(), updatedAt: c.time() });

/** Models of tenants, projects, users and keys. */
export function defineAccessModels(sequelize: Sequelize) {
  const define = <Row extends object>(table: string, attributes: Record<keyof Row & string, ReturnType<typeof c.id>>) =>
    sequelize.define(table, attributes as never, { tableName: table, timestamps: false }) as unknown as Table<Row>;
  return {
    tenants: define<TenantRow>('tenants', {
      id: c.key(c.id()), slug: c.text(), name: c.text(), status: c.text() as never, defaultLocale: c.text(),
      dataRegion: c.nullable(c.text()), ...times(),
    }),
    locales: define<LocaleRow>('locales', {
      tenantId: c.key(c.id()), code: c.key(c.text()), name: c.text(), fallbackCode: c.nullable(c.text()),
      isActive: c.boolean(), position: c.integer(),
    }),
    projects: define<ProjectRow>('projects', { tenantId: c.key(c.id()), id: c.key(c.id()), slug: c.text(), name: c.text(), ...times() }),
    environments: define<EnvironmentRow>('environments', {
      tenantId: c.key(c.id()), projectId: c.id(), id: c.key(c.id()), slug: c.text(), name: c.text(),
      isDefault: c.boolean(), isProtected: c.boolean(), ...times(),
    }),
    users: define<UserRow>('users', {
      id: c.key(c.id()), tenantId: c.nullable(c.id()), email: c.text(), name: c.text(), passwordHash: c.nullable(c.text()),
      isSuperAdmin: c.boolean(), status: c.text(), ...times(),
    }),
    apiKeys: define<ApiKeyRow>('api_keys', {
      tenantId: c.key(c.id()), projectId: c.id(), id: c.key(c.id()), name: c.text(), description: c.nullable(c.text()),
      type: c.text(), permissions: c.texts(), siteIds: c.ids(), environmentId: c.nullable(c.id()), prefix: c.text(),
      lastFour: c.text(), secretHash: c.bytes(), expiresAt: c.nullable(c.time()), revokedAt: c.nullable(c.time()),
      lastUsedAt: c.nullable(c.time()), createdBy: c.json(), ...times(),
    }),
  };
}

import type { Sequelize } from 'sequelize';
import { columns as c } from './columns.js';
import { defineTable, times, type Attributes } from './table.js';

/** A row of `sites`. */
export interface SiteRow {
  tenantId: string;
  projectId: string;
  id: string;
  slug: string;
  name: string;
  description: string | null;
  domain: string | null;
  baseUrl: string | null;
  defaultLocale: string;
  locales: string[];
  localePathStrategy: 'prefix' | 'none';
  previewUrlTemplate: string | null;
  homeEntryId: string | null;
  isActive: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** A row of `content_types`. `typeName` is its name in GraphQL. */
export interface ContentTypeRow {
  tenantId: string;
  environmentId: string;
  id: string;
  apiName: string;
  typeName: string;
  name: string;
  description: string | null;
  displayField: string | null;
  isPage: boolean;
  isBlock: boolean;
  isSingleton: boolean;
  isLocalized: boolean;
  workflowSlug: string | null;
  slugPattern: string | null;
  previewPath: string | null;
  schemaVersion: number;
  createdAt: Date;
  updatedAt: Date;
}

/** A row of `fields`. */
export interface FieldRow {
  tenantId: string;
  environmentId: string;
  id: string;
  contentTypeId: string;
  apiName: string;
  name: string;
  type: string;
  description: string | null;
  required: boolean;
  localized: boolean;
  unique: boolean;
  isList: boolean;
  defaultValue: unknown;
  position: number;
  group: string | null;
  hidden: boolean;
  deprecated: boolean;
  settings: object;
  validations: object;
  createdAt: Date;
  updatedAt: Date;
}

/** A row of `entries`. */
export interface EntryRow {
  tenantId: string;
  environmentId: string;
  id: string;
  contentTypeId: string;
  siteId: string;
  version: number;
  sharedFields: object;
  /** Made by the database of the shared fields. */
  sharedHash: string;
  createdAt: Date;
  createdBy: object;
  updatedAt: Date;
  updatedBy: object;
  /** Made by the database of the actors. */
  createdById: string | null;
  updatedById: string | null;
  deletedAt: Date | null;
}

/** A row of `entry_locales`: the draft of one locale and what is known of its publication. */
export interface EntryLocaleRow {
  tenantId: string;
  environmentId: string;
  entryId: string;
  locale: string;
  contentTypeId: string;
  siteId: string;
  slug: string;
  title: string;
  fields: object;
  /** Made by the database of slug and fields. */
  contentHash: string;
  publishedContentHash: string | null;
  publishedSharedHash: string | null;
  publishedVersion: number | null;
  publishedAt: Date | null;
  firstPublishedAt: Date | null;
  isDeleted: boolean;
  /** The entry's, kept by whoever writes it. */
  sharedHash: string;
  /** Whether this locale stands for the entry where none is asked for. */
  isShown: boolean;
  /** Made by the database of the hashes. */
  status: string;
  inTree: boolean;
  createdAt: Date;
  updatedAt: Date;
}

const sites = (): Attributes<SiteRow> => ({
  tenantId: c.key(c.id()),
  projectId: c.id(),
  id: c.key(c.id()),
  slug: c.text(),
  name: c.text(),
  description: c.nullable(c.text()),
  domain: c.nullable(c.text()),
  baseUrl: c.nullable(c.text()),
  defaultLocale: c.text(),
  locales: c.texts(),
  localePathStrategy: c.text(),
  previewUrlTemplate: c.nullable(c.text()),
  homeEntryId: c.nullable(c.id()),
  isActive: c.boolean(),
  ...times(),
});

const contentTypes = (): Attributes<ContentTypeRow> => ({
  tenantId: c.id(),
  environmentId: c.key(c.id()),
  id: c.key(c.id()),
  apiName: c.text(),
  typeName: c.text(),
  name: c.text(),
  description: c.nullable(c.text()),
  displayField: c.nullable(c.text()),
  isPage: c.boolean(),
  isBlock: c.boolean(),
  isSingleton: c.boolean(),
  isLocalized: c.boolean(),
  workflowSlug: c.nullable(c.text()),
  slugPattern: c.nullable(c.text()),
  previewPath: c.nullable(c.text()),
  schemaVersion: c.integer(),
  ...times(),
});

const fields = (): Attributes<FieldRow> => ({
  tenantId: c.id(),
  environmentId: c.key(c.id()),
  id: c.key(c.id()),
  contentTypeId: c.id(),
  apiName: c.text(),
  name: c.text(),
  type: c.text(),
  description: c.nullable(c.text()),
  required: c.boolean(),
  localized: c.boolean(),
  unique: c.boolean(),
  isList: c.boolean(),
  defaultValue: c.nullable(c.json()),
  position: c.integer(),
  group: c.nullable(c.text()),
  hidden: c.boolean(),
  deprecated: c.boolean(),
  settings: c.json(),
  validations: c.json(),
  ...times(),
});

const entries = (): Attributes<EntryRow> => ({
  tenantId: c.id(),
  environmentId: c.key(c.id()),
  id: c.key(c.id()),
  contentTypeId: c.id(),
  siteId: c.id(),
  version: c.integer(),
  sharedFields: c.json(),
  sharedHash: c.text(),
  createdBy: c.json(),
  updatedBy: c.json(),
  createdById: c.nullable(c.text()),
  updatedById: c.nullable(c.text()),
  deletedAt: c.nullable(c.time()),
  ...times(),
});

const entryLocales = (): Attributes<EntryLocaleRow> => ({
  tenantId: c.id(),
  environmentId: c.key(c.id()),
  entryId: c.key(c.id()),
  locale: c.key(c.text()),
  contentTypeId: c.id(),
  siteId: c.id(),
  slug: c.text(),
  title: c.text(),
  fields: c.json(),
  contentHash: c.text(),
  publishedContentHash: c.nullable(c.text()),
  publishedSharedHash: c.nullable(c.text()),
  publishedVersion: c.nullable(c.integer()),
  publishedAt: c.nullable(c.time()),
  firstPublishedAt: c.nullable(c.time()),
  isDeleted: c.boolean(),
  sharedHash: c.text(),
  isShown: c.boolean(),
  status: c.text(),
  inTree: c.boolean(),
  ...times(),
});

/** Models of sites, content types, fields and entries. */
export function defineContentModels(sequelize: Sequelize) {
  return {
    sites: defineTable<SiteRow>(sequelize, 'sites', sites()),
    contentTypes: defineTable<ContentTypeRow>(sequelize, 'content_types', contentTypes()),
    fields: defineTable<FieldRow>(sequelize, 'fields', fields()),
    entries: defineTable<EntryRow>(sequelize, 'entries', entries()),
    entryLocales: defineTable<EntryLocaleRow>(sequelize, 'entry_locales', entryLocales()),
  };
}

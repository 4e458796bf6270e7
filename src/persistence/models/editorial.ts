import type { Sequelize } from 'sequelize';
import { columns as c, defineTable, times, type Attributes } from './columns.js';

export interface SavedViewRow {
  tenantId: string;
  projectId: string;
  id: string;
  name: string;
  resource: string;
  filters: object;
  columns: string[];
  orderBy: string | null;
  visibility: string;
  isDefault: boolean;
  /** Id of the user or key in `createdBy`. */
  ownerId: string;
  createdBy: object;
  createdAt: Date;
  updatedAt: Date;
}

export interface CustomReportRow {
  tenantId: string;
  projectId: string;
  id: string;
  name: string;
  description: string | null;
  source: string;
  metrics: object;
  groupBy: string[];
  filters: object;
  range: object | null;
  chart: string;
  visibility: string;
  /** Id of the user or key in `createdBy`. */
  ownerId: string;
  createdBy: object;
  createdAt: Date;
  updatedAt: Date;
}

export interface WorkflowRow {
  tenantId: string;
  environmentId: string;
  id: string;
  slug: string;
  name: string;
  isDefault: boolean;
  contentTypeIds: string[];
  siteIds: string[];
  enforcement: 'advisory' | 'strict';
  perLocale: boolean;
  /** State of locales that store none. */
  baseState: string;
  states: object;
  transitions: object;
  /** Roles that states and transitions name. */
  roleIds: string[];
  createdAt: Date;
  updatedAt: Date;
}

const savedViews = (): Attributes<SavedViewRow> => ({
  tenantId: c.key(c.id()),
  projectId: c.id(),
  id: c.key(c.id()),
  name: c.text(),
  resource: c.text(),
  filters: c.json(),
  columns: c.texts(),
  orderBy: c.nullable(c.text()),
  visibility: c.text(),
  isDefault: c.boolean(),
  ownerId: c.id(),
  createdBy: c.json(),
  ...times(),
});

const customReports = (): Attributes<CustomReportRow> => ({
  tenantId: c.key(c.id()),
  projectId: c.id(),
  id: c.key(c.id()),
  name: c.text(),
  description: c.nullable(c.text()),
  source: c.text(),
  metrics: c.json(),
  groupBy: c.texts(),
  filters: c.json(),
  range: c.nullable(c.json()),
  chart: c.text(),
  visibility: c.text(),
  ownerId: c.id(),
  createdBy: c.json(),
  ...times(),
});

const workflows = (): Attributes<WorkflowRow> => ({
  tenantId: c.id(),
  environmentId: c.key(c.id()),
  id: c.key(c.id()),
  slug: c.text(),
  name: c.text(),
  isDefault: c.boolean(),
  contentTypeIds: c.ids(),
  siteIds: c.ids(),
  enforcement: c.text(),
  perLocale: c.boolean(),
  baseState: c.text(),
  states: c.json(),
  transitions: c.json(),
  roleIds: c.ids(),
  ...times(),
});

export function defineEditorialModels(sequelize: Sequelize) {
  return {
    savedViews: defineTable<SavedViewRow>(sequelize, 'saved_views', savedViews()),
    customReports: defineTable<CustomReportRow>(sequelize, 'custom_reports', customReports()),
    workflows: defineTable<WorkflowRow>(sequelize, 'workflows', workflows()),
  };
}

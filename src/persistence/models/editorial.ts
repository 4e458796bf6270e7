import type { Sequelize } from 'sequelize';
import { columns as c } from './columns.js';
import { defineTable, times, type Attributes } from './table.js';

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

export function defineEditorialModels(sequelize: Sequelize) {
  return { savedViews: defineTable<SavedViewRow>(sequelize, 'saved_views', savedViews()) };
}

import type { Sequelize } from 'sequelize';
import { columns as c, defineTable, times, type Attributes } from './columns.js';

/** Encrypted; a replaced secret has an expiry. */
export interface StoredSecret {
  readonly sealed: string;
  readonly expiresAt: string | null;
}

/** A plain or an encrypted value. */
export type StoredHeader =
  { readonly name: string; readonly value: string } | { readonly name: string; readonly sealed: string };

export interface WebhookRow {
  tenantId: string;
  projectId: string;
  id: string;
  name: string;
  url: string;
  events: string[];
  filters: object;
  headers: readonly StoredHeader[];
  payload: 'full' | 'thin';
  batchWindowSeconds: number;
  enabled: boolean;
  health: 'unknown' | 'healthy' | 'failing' | 'disabled';
  failingSince: Date | null;
  lastDeliveryAt: Date | null;
  secrets: readonly StoredSecret[];
  secretPreview: string;
  createdAt: Date;
  createdBy: object;
  /** The key that it ends with; null: a user's. */
  ownerKeyId: string | null;
  updatedAt: Date;
}

const webhooks = (): Attributes<WebhookRow> => ({
  tenantId: c.key(c.id()),
  projectId: c.id(),
  id: c.key(c.id()),
  name: c.text(),
  url: c.text(),
  events: c.texts(),
  filters: c.json(),
  headers: c.json(),
  payload: c.text(),
  batchWindowSeconds: c.integer(),
  enabled: c.boolean(),
  health: c.text(),
  failingSince: c.nullable(c.time()),
  lastDeliveryAt: c.nullable(c.time()),
  secrets: c.json(),
  secretPreview: c.text(),
  createdBy: c.json(),
  ownerKeyId: c.nullable(c.id()),
  ...times(),
});

export function defineWebhookModels(sequelize: Sequelize) {
  return { webhooks: defineTable<WebhookRow>(sequelize, 'webhooks', webhooks()) };
}

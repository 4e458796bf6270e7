import type { Sequelize } from 'sequelize';
import { defineAccessModels } from './access.js';
import { defineContentModels } from './content.js';
import { defineWebhookModels } from './webhooks.js';

/** Columns of every table that repositories reach through the ORM. */
export function defineModels(sequelize: Sequelize) {
  return {
    ...defineAccessModels(sequelize),
    ...defineContentModels(sequelize),
    ...defineWebhookModels(sequelize),
  };
}

/** The models bound to one connection. */
export type Models = ReturnType<typeof defineModels>;

import type { Sequelize } from 'sequelize';
import { defineAccessModels } from './access.js';
import { defineContentModels } from './content.js';
import { defineEditorialModels } from './editorial.js';
import { defineWebhookModels } from './webhooks.js';

/** Every table that repositories access through the ORM. */
export function defineModels(sequelize: Sequelize) {
  return {
    ...defineAccessModels(sequelize),
    ...defineContentModels(sequelize),
    ...defineEditorialModels(sequelize),
    ...defineWebhookModels(sequelize),
  };
}

export type Models = ReturnType<typeof defineModels>;

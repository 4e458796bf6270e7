import type { Model, ModelAttributeColumnOptions, ModelAttributes, ModelStatic, Sequelize } from 'sequelize';
import { columns as c } from './columns.js';

export type Attributes<Row extends object> = Record<keyof Row & string, ModelAttributeColumnOptions>;

export const times = () => ({ createdAt: c.time(), updatedAt: c.time() });

export function defineTable<Row extends object>(
  sequelize: Sequelize,
  tableName: string,
  attributes: Attributes<Row>,
): ModelStatic<Model<Row, Row>> {
  return sequelize.define<Model<Row, Row>>(tableName, attributes as ModelAttributes<Model<Row, Row>, Row>, {
    tableName,
    timestamps: false,
    underscored: true,
  });
}

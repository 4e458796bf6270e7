import type { Model, ModelAttributeColumnOptions, ModelAttributes, ModelStatic, Sequelize } from 'sequelize';
import { columns as c } from './columns.js';

/** The columns of a table, one for each key of its row. */
export type Attributes<Row extends object> = Record<keyof Row & string, ModelAttributeColumnOptions>;

/** Columns of when a row was made and last changed. */
export const times = () => ({ createdAt: c.time(), updatedAt: c.time() });

/** Defines the model of one table. */
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

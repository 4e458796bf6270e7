import {
  DataTypes,
  type ModelAttributeColumnOptions,
  type Model,
  type ModelAttributes,
  type ModelStatic,
  type Sequelize,
} from 'sequelize';

const column = (type: ModelAttributeColumnOptions['type'], field?: string): ModelAttributeColumnOptions => ({
  type,
  allowNull: false,
  ...(field !== undefined && { field }),
});
const nullable = (options: ModelAttributeColumnOptions): ModelAttributeColumnOptions => ({
  ...options,
  allowNull: true,
});
const key = (options: ModelAttributeColumnOptions): ModelAttributeColumnOptions => ({
  ...options,
  primaryKey: true,
});

/** A test compares the migrations with them. */
export const columns = {
  id: () => column(DataTypes.UUID),
  text: () => column(DataTypes.TEXT),
  boolean: () => column(DataTypes.BOOLEAN),
  integer: () => column(DataTypes.INTEGER),
  json: () => column(DataTypes.JSONB),
  time: () => column(DataTypes.DATE),
  bytes: () => column(DataTypes.BLOB),
  texts: () => column(DataTypes.ARRAY(DataTypes.TEXT)),
  ids: () => column(DataTypes.ARRAY(DataTypes.UUID)),
  nullable,
  key,
};

export type Attributes<Row extends object> = Record<keyof Row & string, ModelAttributeColumnOptions>;

export const times = () => ({ createdAt: columns.time(), updatedAt: columns.time() });

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

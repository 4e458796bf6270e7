import { DataTypes, type ModelAttributeColumnOptions } from 'sequelize';

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

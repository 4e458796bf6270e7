import { QueryTypes, Sequelize, type ModelAttributeColumnOptions } from 'sequelize';
import { defaultTimeouts, silenceBoundDriver, silenceLimit } from '../connections/session-settings.js';
import { migrateDown, migrateUp } from './migrator.js';
import { defineModels } from '../models/index.js';
import { tablesWithSeveralIndexes } from './plan.js';
import { migrations } from './steps/index.js';
import type { Migration } from './steps/migration.js';

/** The last one that was written before the rule. */
const LAST_WITH_SEVERAL = '0040-platform-events';

interface TableModel {
  readonly tableName: string;
  getAttributes(): Readonly<Record<string, ModelAttributeColumnOptions & { readonly field?: string }>>;
}

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly isNullable: boolean;
}

/** PostgreSQL's names of the models' column types. */
const typeNames: Readonly<Record<string, string>> = {
  UUID: 'uuid',
  TEXT: 'text',
  BOOLEAN: 'bool',
  INTEGER: 'int4',
  JSONB: 'jsonb',
  'TIMESTAMP WITH TIME ZONE': 'timestamptz',
  BYTEA: 'bytea',
  'TEXT[]': '_text',
  'UUID[]': '_uuid',
};

async function actualColumns(sequelize: Sequelize): Promise<Map<string, Column>> {
  const rows = await sequelize.query<Column>(
    `SELECT table_name AS table, column_name AS column, udt_name AS type, is_nullable = 'YES' AS "isNullable"
     FROM information_schema.columns WHERE table_schema = 'public'`,
    { type: QueryTypes.SELECT },
  );
  return new Map(rows.map((row) => [`${row.table}.${row.column}`, row]));
}

function differences(sequelize: Sequelize, actual: ReadonlyMap<string, Column>): string[] {
  const problems: string[] = [];
  const models: readonly TableModel[] = Object.values(defineModels(sequelize));
  for (const model of models) {
    const { tableName: table } = model;
    const wanted = new Set<string>();
    for (const attribute of Object.values(model.getAttributes())) {
      const name = `${table}.${String(attribute.field)}`;
      wanted.add(name);
      const column = actual.get(name);
      const type = typeNames[(attribute.type as { toSql(): string }).toSql()];
      if (column === undefined) problems.push(`${name} is in the model only`);
      else if (column.type !== type) problems.push(`${name} is ${column.type}, in the model ${String(type)}`);
      else if (column.isNullable !== attribute.allowNull) problems.push(`${name} differs in being nullable`);
    }
    for (const name of actual.keys()) {
      if (name.startsWith(`${table}.`) && !wanted.has(name)) problems.push(`${name} is in the database only`);
    }
  }
  return problems;
}

/** What the migrations leave behind when reverted. */
async function leftovers(sequelize: Sequelize): Promise<string[]> {
  const rows = await sequelize.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S', 'v')
       AND relname NOT IN ('schema_migrations', 'schema_lease')
     UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
    { type: QueryTypes.SELECT },
  );
  return rows.map(({ name }) => `${name} stays behind after going down`);
}

/** Writers wait until the end of a migration, so that each builds one index of a table. */
export const longLocks = (checked: readonly Migration[]): string[] =>
  checked
    .filter(({ name }) => name > LAST_WITH_SEVERAL)
    .flatMap(({ name, up }) =>
      tablesWithSeveralIndexes(up).map(
        (table) => `${name} builds several indexes of ${table}: make a migration of each`,
      ),
    );

/** Migrates an empty database up, down and up; returns its differences from the models. */
export async function checkMigrations(url: string): Promise<string[]> {
  const sequelize = new Sequelize({
    dialect: 'postgres',
    dialectModule: silenceBoundDriver(url, silenceLimit(defaultTimeouts)),
    logging: false,
  });
  try {
    await migrateUp({ url });
    await migrateDown({ url });
    const left = await leftovers(sequelize);
    await migrateUp({ url });
    return [...longLocks(migrations), ...left, ...differences(sequelize, await actualColumns(sequelize))];
  } finally {
    await sequelize.close();
  }
}

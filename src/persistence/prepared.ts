import type { Sequelize, Transaction } from 'sequelize';

interface Preparing {
  query<Row>(statement: { name: string; text: string; values: unknown[] }): Promise<{ rows: Row[] }>;
}

const names = new Map<string, string>();

/** Statements are known by their text, of which there are few: none is put together from what callers send. */
function nameOf(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = `hw_${String(names.size + 1)}`;
  names.set(sql, name);
  return name;
}

/**
 * Runs a statement of a transaction that is prepared once per connection: what writers say over and over need not be
 * planned anew each time.
 */
export async function runPrepared<Row extends object>(
  { sequelize, transaction }: { sequelize: Sequelize; transaction: Transaction },
  sql: string,
  bind: readonly unknown[],
): Promise<Row[]> {
  const { connection } = transaction as unknown as { connection: Preparing };
  const { logging } = (sequelize as unknown as { options: { logging?: unknown } }).options;
  if (typeof logging === 'function') (logging as (line: string) => void)(`Executing (prepared): ${sql}`);
  const { rows } = await connection.query<Row>({ name: nameOf(sql), text: sql, values: [...bind] });
  return rows;
}

import { migrations } from './steps/index.js';
import type { ReadPool } from '../connections/read-pool.js';

const applied = { name: 'applied_migrations', text: 'SELECT name FROM schema_migrations' };

/** True also for a database of a newer release. */
export async function isMigrated(pool: ReadPool): Promise<boolean> {
  const rows = await pool.run<{ name: string }>(applied, []);
  const names = new Set(rows.map(({ name }) => name));
  return migrations.every(({ name }) => names.has(name));
}

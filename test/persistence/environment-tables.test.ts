import { describe, expect, it } from '@jest/globals';
import {
  contentTables,
  derivedTables,
  lastingTables,
  leftTables,
  schemaTables,
} from '../../src/features/environments/environments/copy/environment-tables.js';
import { useOwnApp } from '../support/desk.js';
import { verifies } from '../support/verifies.js';

const app = useOwnApp();

describe('Tables of environments', () => {
  verifies('environments/copy-snapshot');

  it('are all copied, derived by triggers, or left out by decision', async () => {
    const tables = await app().rows<{ name: string }>(
      null,
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_name IN (SELECT tablename FROM pg_tables WHERE schemaname = 'public') AND column_name = 'environment_id' ORDER BY 1`,
    );
    const decided = [...schemaTables, ...contentTables, ...derivedTables, ...leftTables].sort();
    expect(decided).toEqual(tables.map(({ name }) => name));
    expect([...leftTables].filter((table) => lastingTables.includes(table as never))).toEqual([
      ...lastingTables,
    ]);
  });

  it('are copied after those that they name', async () => {
    const references = await app().rows<{ from: string; to: string }>(
      null,
      `SELECT DISTINCT conrelid::regclass::text AS "from", confrelid::regclass::text AS "to" FROM pg_constraint
       WHERE contype = 'f' AND conrelid <> confrelid`,
    );
    const order: readonly string[] = [...schemaTables, ...contentTables];
    const early = references.filter(
      ({ from, to }) => order.includes(from) && order.indexOf(to) > order.indexOf(from),
    );
    expect(early).toEqual([]);
  });
});

import type pg from 'pg';
import { migrations } from './steps/index.js';

/**
 * Before 0.1.0, 93 steps made the tables one after the other that the baseline makes at once. A database with all of
 * them has the schema of the baseline, so that only the records of its steps change.
 */
const formerSteps = { first: '0001-roles', last: '0093-second-factors', revision: '298c498c' } as const;
const LAST_OF_BASELINE = '0021-purges';

const endOfBaseline = migrations.findIndex(({ name }) => name === LAST_OF_BASELINE) + 1;
const baseline: readonly string[] = migrations.slice(0, endOfBaseline).map(({ name }) => name);

/**
 * The names of the migrations that a database or a backup has, as this release names them.
 * @throws Error, with what to do, when some of the steps before the baseline were not applied
 */
export function currentNames(applied: readonly string[]): readonly string[] {
  if (!applied.includes(formerSteps.first)) return applied;
  if (applied.includes(formerSteps.last)) return baseline;
  throw new Error(
    `The data was written before 0.1.0, and its migrations end with ${String(applied.at(-1))}: ` +
      `run npm run migrate of revision ${formerSteps.revision} of the repository on it, then that of this release.`,
  );
}

/** Records the baseline in place of the steps before it. */
export async function adoptFormer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name');
  const applied = rows.map(({ name }) => name);
  const names = currentNames(applied);
  if (names === applied) return;
  await client.query(
    `WITH former AS (DELETE FROM schema_migrations WHERE name <> ALL ($1))
     INSERT INTO schema_migrations (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`,
    [names],
  );
}

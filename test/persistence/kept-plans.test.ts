import { afterAll, describe, expect, it } from '@jest/globals';
import { ReadPool } from '../../src/persistence/connections/read-pool.js';
import { useOwnApp } from '../support/desk.js';

const app = useOwnApp();
const MODE = "SELECT current_setting('plan_cache_mode') AS mode";

describe('Plans of published reads', () => {
  let pool: ReadPool | undefined;

  /** One connection, so that every statement finds the state that the one before it left. */
  const reads = (): ReadPool =>
    (pool ??= new ReadPool({
      url: app().databaseUrl,
      role: 'headwater_reader',
      size: 1,
      keepsPlans: true,
      onError: () => undefined,
    }));

  afterAll(async () => {
    await pool?.close();
  });

  const modeOf = async (name?: string): Promise<string | undefined> => {
    const [row] = await reads().run<{ mode: string }>(
      { ...(name !== undefined && { name }), text: MODE },
      [],
    );
    return row?.mode;
  };

  it('plans a named statement once, although plans for single values would cost less', async () => {
    const text = 'SELECT count(*)::int AS total FROM published_entries WHERE entry_id = ANY($1::uuid[])';
    const ids = ['01900000-0000-7000-a000-000000000001'];
    for (let time = 0; time < 8; time += 1)
      expect(await reads().run({ name: 'kept', text }, [ids])).toEqual([{ total: 0 }]);
    const counted =
      "SELECT generic_plans::int AS kept, custom_plans::int AS own FROM pg_prepared_statements WHERE name = 'kept'";
    expect(await reads().run({ text: counted }, [])).toEqual([{ kept: 8, own: 0 }]);
  });

  it('plans a statement without a name for its values, and named ones after it for any', async () => {
    expect(await modeOf('mode_before')).toBe('force_generic_plan');
    expect(await modeOf()).toBe('auto');
    expect(await modeOf('mode_after')).toBe('force_generic_plan');
  });

  it('keeps plans after a statement without a name has failed', async () => {
    await expect(reads().run({ text: 'SELECT 1 / $1::int' }, [0])).rejects.toThrow('22012');
    expect(await modeOf('mode_after_failure')).toBe('force_generic_plan');
    expect(reads().state).toMatchObject({ open: 1, waiting: 0 });
  });
});

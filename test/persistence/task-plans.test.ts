import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { TaskRepository, type TaskQuery } from '../../src/features/entries/tasks/task.repository.js';
import { prefixes, seedPages, types } from '../bench/growth/content.js';
import { seededId } from '../bench/seed/bulk-entries.js';
import { createType } from '../support/factories/content.js';
import { createProject } from '../support/factories/project.js';
import { useOwnApp } from '../support/desk.js';
import { verifies } from '../support/verifies.js';
import { explainedAt, type ExplainedPlace } from './plans.js';

const app = useOwnApp();
const PAGES = 1600;
/** Rows that the tasks of a user with eight of them in a hundred can touch. A scan of a table touches 1,600. */
const BOUND = 500;

let place: ExplainedPlace;
let pageTypeId: string;

beforeAll(async () => {
  const project = await createProject(app(), { locales: ['en'] });
  const { tenantId, projectId, siteId } = project;
  for (const type of types) {
    const { id } = await createType(app(), project, type);
    if (type.apiName === 'page') pageTypeId = id;
  }
  const [head] = await app().rows<{ environment_id: string }>(
    tenantId,
    'SELECT environment_id FROM environment_heads WHERE project_id = $1',
    [projectId],
  );
  place = { tenantId, projectId, environmentId: head?.environment_id ?? '' };
  const client = new pg.Client({ connectionString: app().databaseUrl });
  await client.connect();
  await seedPages(client, { tenantId, siteId, environmentId: place.environmentId }, PAGES);
  await client.end();
});

describe('Cost of the tasks of a user', () => {
  verifies('entries/tasks');

  const [one, all] = [seededId(prefixes.author, 1), seededId(prefixes.author, 2)];
  const tasks = (query: Partial<TaskQuery>) =>
    explainedAt(app(), place, {
      repository: TaskRepository,
      call: (repository) =>
        repository.list({
          userId: one,
          kinds: ['transition', 'approval', 'translation', 'mention'],
          // Published entries wait, too.
          rules: [{ typeId: pageTypeId, siteId: null, perLocale: false, done: [] }],
          approvals: [],
          isAscending: true,
          limit: 25,
          offset: 0,
          ...query,
        }),
    });

  beforeAll(async () => {
    // Twenty entries of one user wait in a state that is rare; the others belong to another user.
    await app().rows(
      place.tenantId,
      `WITH due AS (SELECT entry_id, row_number() OVER (ORDER BY entry_id) AS n FROM entry_locales
         WHERE environment_id = $1 AND content_type_id = $2)
       UPDATE entry_locales l SET assignee_id = CASE WHEN n % 200 = 0 THEN $3::uuid ELSE $4::uuid END,
         workflow_state = CASE WHEN n % 200 = 0 THEN 'awaiting' END, due_at = '2030-01-01'::timestamptz - n * interval '1 hour'
       FROM due WHERE l.environment_id = $1 AND l.entry_id = due.entry_id RETURNING l.entry_id`,
      [place.environmentId, pageTypeId, one, all],
    );
    await app().rows(
      place.tenantId,
      `INSERT INTO entry_comments (tenant_id, environment_id, entry_id, id, text, mentions, created_by, created_at, updated_at)
       SELECT $1, $2, entry_id, entry_id, 'x', '{}', '{}', now(), now() FROM entry_locales WHERE environment_id = $2 RETURNING id`,
      [place.tenantId, place.environmentId],
    );
    await app().rows(
      place.tenantId,
      `INSERT INTO comment_mentions (tenant_id, environment_id, comment_id, user_id, is_open)
       SELECT $1, $2, id, CASE WHEN row_number() OVER (ORDER BY id) % 200 = 0 THEN $3::uuid ELSE $4::uuid END, true
       FROM entry_comments WHERE environment_id = $2 RETURNING comment_id`,
      [place.tenantId, place.environmentId, one, all],
    );
    const client = new pg.Client({ connectionString: app().databaseUrl });
    await client.connect();
    await client.query('ANALYZE entries, entry_locales, translations, entry_comments, comment_mentions');
    await client.end();
  });

  const approvals = () => [
    {
      typeId: pageTypeId,
      siteId: null,
      perLocale: false,
      state: 'awaiting',
      targets: [{ to: 'approved', excludesAuthors: true }],
    },
  ];

  it('reads only the rows of the user', async () => {
    const { result, taken } = await tasks({ approvals: approvals() });
    expect(new Set(result.items.map(({ kind }) => kind))).toEqual(
      new Set(['transition', 'approval', 'mention']),
    );
    expect(result.total).toBeGreaterThanOrEqual(16);
    expect(taken).toHaveLength(1);
    for (const { rows } of taken) expect(rows).toBeLessThan(BOUND);
  });

  it('counts at most 1,000 tasks', async () => {
    const { result } = await tasks({ userId: all });
    expect(result.total).toBe(1000);
    const last = await tasks({ userId: all, offset: 990 });
    expect(last.result.items).toHaveLength(10);
  });
});

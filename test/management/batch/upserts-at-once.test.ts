import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { BatchOutcome } from '../../../contracts/entries/entries/batch.js';
import { slugLockKey } from '../../../src/features/entries/entries/drafts/slug.repository.js';
import { blocksAnother } from '../../support/blocks-another.js';
import { openDesk, useApp, type Desk } from '../../support/desk.js';
import { unique } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { waitFor } from '../../support/wait-for.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
});

const upsert = (slug: string) => ({
  action: 'upsert',
  contentTypeApiName: 'article',
  siteId: desk.project.siteId,
  slug,
  fields: { title: 'Batch' },
});

const post = (slugs: readonly string[]) => desk.post('/entries/batch', { items: slugs.map(upsert) });

/** The transaction of another writer. */
async function openWriter() {
  const client = new pg.Client({ connectionString: app().databaseUrl });
  await client.connect();
  await client.query("SELECT set_config('headwater.tenant_id', $1, false)", [desk.project.tenantId]);
  await client.query('BEGIN');
  return {
    client,
    stopsAnother: () => blocksAnother(client),
    close: async (end: 'COMMIT' | 'ROLLBACK') => {
      await client.query(end);
      await client.end();
    },
  };
}

async function create(slug: string): Promise<string> {
  const [made] = ((await post([slug])).body.data as { results: BatchOutcome[] }).results;
  return made?.entryId ?? '';
}

/** Key of the lock of a slug beside that of an entry. */
async function lockKeyOf(client: pg.Client, entryId: string, slug: string): Promise<string> {
  const { rows } = await client.query<{ environment: string; type: string; locale: string }>(
    'SELECT environment_id AS environment, content_type_id AS type, locale FROM entry_locales WHERE entry_id = $1',
    [entryId],
  );
  const [{ environment, type: contentTypeId, locale } = { environment: '', type: '', locale: '' }] = rows;
  const { siteId } = desk.project;
  return slugLockKey(environment, slug, { siteId, contentTypeId, locale, entryId, place: null });
}

describe('Upserts by slug beside another writer', () => {
  verifies('entries/batch', 'routing/tree-concurrent-writes');

  it('lock no slug before the entries, which would end in a deadlock', async () => {
    const [known, free] = [unique(), unique()];
    const entryId = await create(known);
    const { client, stopsAnother, close } = await openWriter();
    const key = await lockKeyOf(client, entryId, free);
    await client.query('SELECT 1 FROM entries WHERE id = $1 FOR UPDATE', [entryId]);
    const sent = post([known, free]);
    try {
      await waitFor('the batch waits for the entry', stopsAnother);
      const { rows } = await client.query(
        'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS "isFree"',
        [key],
      );
      expect(rows).toEqual([{ isFree: true }]);
    } finally {
      await close('ROLLBACK');
    }
    await sent;
  });

  it('update the entry that gets the slug meanwhile', async () => {
    const [old, slug] = [unique(), unique()];
    const entryId = await create(old);
    const { client, stopsAnother, close } = await openWriter();
    const key = await lockKeyOf(client, entryId, slug);
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
    await client.query('UPDATE entry_locales SET slug = $2 WHERE entry_id = $1', [entryId, slug]);
    const sent = post([slug]);
    try {
      await waitFor('the batch waits for the slug', stopsAnother);
    } finally {
      await close('COMMIT');
    }
    const { status, body } = await sent;
    // It waits for the slug for two seconds at most, which a slow machine may exceed.
    const { results } = (status === 200 ? body : (await post([slug])).body).data as {
      results: BatchOutcome[];
    };
    expect(results).toMatchObject([{ ok: true, entryId, created: false }]);
  });
});

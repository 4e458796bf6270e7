import { describe, expect, it } from '@jest/globals';
import { deliverFields } from '../../../src/content/deliver-fields.js';
import { openDesk, useApp, type Desk } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { article, otherSite } from './history.js';
import { fc } from '../../support/properties.js';

const app = useApp();

interface Published {
  entry_id: string;
  locale: string;
  slug: string;
  fields: Record<string, unknown>;
  version: number;
}

const locale = fc.constantFrom('en', 'de');
const entry = fc.integer({ min: 0, max: 2 });
/** A random operation on one of three entries in any state. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('update' as const),
    entry,
    locale,
    title: fc.constantFrom('Lock', 'Weir', 'Sluice'),
    code: fc.constantFrom('A', 'B', null),
  }),
  fc.record({ kind: fc.constantFrom('publish' as const, 'unpublish' as const), entry, locale }),
  fc.record({ kind: fc.constantFrom('delete' as const, 'undelete' as const, 'duplicate' as const), entry }),
  fc.record({ kind: fc.constant('restore' as const), entry, version: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('copy' as const), entry, locale }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function play(desk: Desk, id: string, given: Step): Promise<number> {
  const at = `/entries/${id}`;
  switch (given.kind) {
    case 'update': {
      const { version = 1 } = ((await desk.get(at)).body as { data?: { version: number } }).data ?? {};
      const fields = { title: given.title, code: given.code && `${id}${given.code}` };
      return (await desk.put(at, { version, locale: given.locale, fields })).status;
    }
    case 'publish':
    case 'unpublish':
      return (await desk.post(`${at}/${given.kind}`, { locale: given.locale })).status;
    case 'delete':
      return (await desk.delete(at)).status;
    case 'undelete':
    case 'duplicate':
      return (await desk.post(`${at}/${given.kind}`, {})).status;
    case 'restore':
      return (await desk.post(`${at}/restore`, { versionNum: given.version })).status;
    case 'copy': {
      const toLocale = given.locale === 'en' ? 'de' : 'en';
      return (await desk.post(`${at}/copy-locale`, { fromLocale: given.locale, toLocale, overwrite: true }))
        .status;
    }
  }
}

/** Published documents as rebuilt from the versions. */
async function rebuilt(desk: Desk): Promise<Published[]> {
  const types = (await desk.get('/content-types/article')).body as { data: { fields: never[] } };
  const rows = await app().rows<Published & { shared: Record<string, unknown> }>(
    desk.project.tenantId,
    `SELECT l.entry_id, l.locale, l.published_version AS version, v.slug, v.fields,
       (SELECT s.shared_fields FROM whole_versions s WHERE s.entry_id = l.entry_id AND s.version_num <= l.published_version
        ORDER BY s.version_num DESC LIMIT 1) AS shared
     FROM entry_locales l CROSS JOIN LATERAL (SELECT slug, fields FROM whole_versions v WHERE v.entry_id = l.entry_id
       AND v.locale = l.locale AND v.version_num <= l.published_version ORDER BY v.version_num DESC LIMIT 1) v
     WHERE l.published_version IS NOT NULL AND NOT l.is_deleted ORDER BY 1, 2`,
  );
  return rows.map(({ shared, fields, ...row }) => ({
    ...row,
    fields: deliverFields(types.data.fields, { ...shared, ...fields }),
  }));
}

const published = (desk: Desk) =>
  app().rows<Published>(
    desk.project.tenantId,
    `SELECT p.entry_id, p.locale, p.version, p.slug, p.fields FROM published_entries p JOIN environment_heads h USING (environment_id)
     WHERE h.project_id = $1 ORDER BY 1, 2`,
    [desk.project.projectId],
  );

/** Compares the last recorded publication with the actual state. */
const disagreements = (desk: Desk) =>
  app().rows(
    desk.project.tenantId,
    `SELECT l.entry_id, l.locale FROM entry_locales l LEFT JOIN LATERAL (SELECT kind, version_num FROM entry_publications p
       WHERE p.entry_id = l.entry_id AND p.locale = l.locale ORDER BY ordinal DESC LIMIT 1) p ON true
     WHERE coalesce(p.kind = 'publish', false) <> (l.published_version IS NOT NULL)
       OR (p.kind = 'publish' AND p.version_num <> l.published_version)`,
  );

/** Stored counters that differ from the rows. */
const miscounts = (desk: Desk) =>
  app().rows(
    desk.project.tenantId,
    `WITH truth AS (
       SELECT l.content_type_id, l.site_id, shown.locale, status, is_deleted, count(*) AS n
       FROM entry_locales l CROSS JOIN LATERAL (SELECT l.locale UNION ALL SELECT '' WHERE l.is_shown) AS shown (locale)
       GROUP BY 1, 2, 3, 4, 5),
     kept AS (SELECT content_type_id, site_id, c.locale, c.status, c.is_deleted, sum(entries) AS n FROM entry_counts c
       JOIN environment_heads h USING (environment_id) WHERE h.project_id = $1 GROUP BY 1, 2, 3, 4, 5)
     SELECT * FROM truth FULL JOIN kept USING (content_type_id, site_id, locale, status, is_deleted)
     WHERE coalesce(truth.n, 0) <> coalesce(kept.n, 0)`,
    [desk.project.projectId],
  );

/** Locales whose derived columns differ from their entry. */
const mismarked = (desk: Desk) =>
  app().rows(
    desk.project.tenantId,
    `SELECT l.entry_id, l.locale FROM entry_locales l JOIN entries e ON e.id = l.entry_id JOIN sites s ON s.id = l.site_id
     WHERE l.shared_hash <> e.shared_hash OR l.is_deleted <> (e.deleted_at IS NOT NULL)
       OR l.is_shown <> (l.locale = (SELECT c.locale FROM entry_locales c WHERE c.entry_id = l.entry_id
         ORDER BY c.locale = s.default_locale DESC, c.created_at, c.locale LIMIT 1))`,
  );

/** Listed entries whose status is not the requested one. */
async function misfiled(desk: Desk): Promise<string[]> {
  const lists = ['', 'locale=en&', 'locale=de&'].flatMap((query) =>
    ['draft', 'published', 'changed'].map(async (status) => {
      const { data, meta } = (await desk.get(`/entries?${query}status=${status}&limit=100`)).body as {
        data: { id: string; status: string }[];
        meta: { total: number };
      };
      const others = data.filter((each) => each.status !== status).map(({ id }) => id);
      return meta.total <= 100 && meta.total !== data.length ? [...others, `${query}${status}`] : others;
    }),
  );
  return (await Promise.all(lists)).flat();
}

describe('Random sequences of entry operations', () => {
  verifies('architecture/read-model', 'entries/versions-publications', 'lists/filters-of-entries');

  it('keeps published documents and counters equal to a rebuild from the versions', async () => {
    const desk = await openDesk(app());
    await otherSite(desk);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const entries = [
          await article(desk),
          await article(desk),
          await article(desk, { title: 'Schleuse' }, { locale: 'de' }),
        ];
        for (const given of steps) {
          const status = await play(desk, entries[given.entry]?.id ?? '', given);
          expect([200, 201, 404, 409, 422]).toContain(status);
        }
        expect(await published(desk)).toEqual(await rebuilt(desk));
        expect(await disagreements(desk)).toEqual([]);
        expect(await miscounts(desk)).toEqual([]);
        expect(await mismarked(desk)).toEqual([]);
        expect(await misfiled(desk)).toEqual([]);
      }),
      { numRuns: 12 },
    );
  }, 120_000);
});

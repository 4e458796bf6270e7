import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ContentHealth } from '../../../contracts/insight/reports/report.js';
import { healthCodes } from '../../../contracts/insight/reports/report.js';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createPageType, createLivePage } from '../../support/factories/tree.js';
import { createMember, createRole } from '../../support/members.js';
import { fc } from '../../support/properties.js';
import { verifies } from '../../support/verifies.js';
import { createHealthTypes, makeAll, plan } from './health-world.js';
import { keyOf, notes, readHealth } from './read-health.js';
import { recountHealth, type RecountedIssue } from './recount-health.js';

const app = useOwnApp();

const idsWith = ({ rows }: ContentHealth, code: string): string[] =>
  rows.filter(({ issues }) => issues.some((issue) => issue.code === code)).map(({ entryId }) => entryId);

/** Entries without issues as a whole or in these locales, in percent. */
function scoreIn(locales: readonly string[], issues: readonly RecountedIssue[], entries: number): number {
  const penalized = issues.filter(({ locale }) => locale === null || locales.includes(locale));
  const ids = new Set(penalized.map(({ entryId }) => entryId));
  return entries === 0 ? 100 : Math.floor(((entries - ids.size) / entries) * 100);
}

describe('GET reports/content-health', () => {
  verifies('reports/content-health', 'reports/list');
  let desk: Desk;
  let counted: RecountedIssue[];
  let living: { type: string }[];

  beforeAll(async () => {
    desk = await openDesk(app(), { locales: ['en', { code: 'de', fallbackCode: 'en' }, 'fr'] });
    await createHealthTypes(desk);
    // Some issues are stored, the others are found when the report is read.
    await makeAll(desk, fc.sample(plan, 28), async (position) => {
      if (position === 9 || position === 19) await app().composition.jobs.assessHealth();
    });
    // What was published before is incomplete now.
    const field = { apiName: 'summary', type: 'text', required: true };
    expect((await desk.post('/content-types/note/fields', field)).status).toBe(201);
    counted = await recountHealth(desk);
    living = await app().rows(
      desk.project.tenantId,
      `SELECT t.api_name AS type FROM entries e JOIN content_types t ON t.id = e.content_type_id WHERE e.deleted_at IS NULL`,
    );
  }, 120_000);

  it.each(['while entries wait for the job', 'from stored issues alone'])(
    'finds what a recount of all rows finds, by type and locale, %s',
    async (when) => {
      if (when === 'from stored issues alone') await app().composition.jobs.assessHealth();
      expect((await notes(desk)) > 0).toBe(when === 'while entries wait for the job');
      const property = fc.asyncProperty(
        fc.constantFrom(null, 'story', 'note', 'page', 'part', 'author'),
        async (type) => {
          const wanted = counted.filter((issue) => type === null || issue.type === type);
          const query = `limit=100${type === null ? '' : `&contentTypeApiName=${type}`}`;
          const { summary, rows, total } = await readHealth(desk, query);
          const byEntry = Map.groupBy(wanted, ({ entryId }) => entryId);
          expect(
            Object.fromEntries(rows.map(({ entryId, issues }) => [entryId, issues.map(keyOf).sort()])),
          ).toEqual(Object.fromEntries([...byEntry].map(([id, issues]) => [id, issues.map(keyOf).sort()])));
          expect(total).toBe(byEntry.size);
          expect(summary.issues).toBe(wanted.length);
          expect(summary.byType).toEqual(
            Object.fromEntries(
              [...Map.groupBy(wanted, ({ code }) => code)].map(([code, all]) => [code, all.length]),
            ),
          );
          const entries = living.filter((one) => type === null || one.type === type).length;
          expect(summary.entries).toBe(entries);
          expect(summary.score).toBe(scoreIn(['en'], wanted, entries));
        },
      );
      await fc.assert(property, { numRuns: 8 });
      expect([...new Set(counted.map(({ code }) => code))].sort()).toEqual(
        healthCodes.filter((code) => code !== 'redirect_loop').sort(),
      );
    },
  );

  it('scores the locales that the site requires, or the one that is asked for, and lists the others', async () => {
    verifies('localization/required-locales');
    const byDefault = await readHealth(desk, 'limit=100');
    const { entries, score, issues } = byDefault.summary;
    expect(score).toBe(scoreIn(['en'], counted, entries));
    const scoreFor = async (requiredLocales: readonly string[]): Promise<number> => {
      expect((await desk.put('/sites/main', { requiredLocales })).status).toBe(200);
      const { summary, rows } = await readHealth(desk, 'limit=100');
      expect([summary.issues, rows]).toEqual([issues, byDefault.rows]);
      return summary.score;
    };
    const scores = [];
    for (const locales of [['de'], ['en', 'de', 'fr'], []]) {
      scores.push(await scoreFor(locales));
      expect(scores.at(-1)).toBe(scoreIn(locales.length === 0 ? ['en'] : locales, counted, entries));
    }
    expect(new Set(scores).size).toBeGreaterThan(1);
    const german = await readHealth(desk, 'locale=de');
    expect(german.summary.score).toBe(
      Math.floor(((german.summary.entries - german.total) / german.summary.entries) * 100),
    );
  });

  it('shows the most severe first, page by page', async () => {
    const whole = await readHealth(desk, 'limit=100');
    const rank = (issues: ContentHealth['rows'][number]['issues']): number =>
      ['critical', 'warning', 'info'].indexOf(issues[0]?.severity ?? '');
    const ranks = whole.rows.map(({ issues }) => rank(issues));
    expect(ranks).toEqual([...ranks].sort());
    const [first, second] = await Promise.all([
      readHealth(desk, 'limit=5'),
      readHealth(desk, 'limit=5&page=2'),
    ]);
    expect([...first.rows, ...second.rows]).toEqual(whole.rows.slice(0, 10));
    expect(second.summary).toEqual(whole.summary);
  });

  it('limits issues to a locale, and keeps those of the entry as a whole', async () => {
    const written = new Set(
      (
        await app().rows<{ id: string }>(
          desk.project.tenantId,
          `SELECT entry_id AS id FROM entry_locales WHERE locale = 'de' AND NOT is_deleted`,
        )
      ).map(({ id }) => id),
    );
    const wanted = counted.filter(
      ({ locale, entryId }) => locale === 'de' || (locale === null && written.has(entryId)),
    );
    const { summary } = await readHealth(desk, 'locale=de');
    expect(summary.issues).toBe(wanted.length);
  });

  it('shows only what the caller may read', async () => {
    const summaryFor = async (scope: object): Promise<ContentHealth> => {
      const roleId = await createRole(app(), desk.project, [
        { resource: 'reports', action: 'read' },
        { resource: 'entries', action: 'read', scope },
      ]);
      const { token } = await createMember(app(), desk.project, [roleId]);
      return readHealth(desk.as(token), 'limit=100');
    };
    const notes = await summaryFor({ contentTypes: ['note'] });
    expect(notes).toEqual(
      await readHealth(desk, 'limit=100&contentTypeApiName=note').then(({ summary, rows, total }) => ({
        summary,
        rows,
        total,
      })),
    );
    const nothing = await summaryFor({ contentTypes: ['author'] });
    expect(nothing.summary).toEqual({ entries: 0, issues: 0, score: 100, pending: 0, byType: {} });
  });

  it('is CSV on request', async () => {
    const response = await desk.get('/reports/content-health?format=csv&limit=1');
    expect(response.headers['content-disposition']).toContain('content-health.csv');
    const [head, row] = response.text.split('\r\n');
    expect(head).toBe('entryId,title,issues');
    expect(row).toContain('critical');
  });
});

describe('Redirect loops in reports/content-health', () => {
  verifies('reports/content-health');

  it('are found at pages that are not live, as delivery follows redirects', async () => {
    const desk = await openDesk(app());
    const { project } = desk;
    await createPageType(app(), project);
    const pages = [];
    for (const slug of ['turn', 'through', 'live', 'away'])
      pages.push(await createLivePage(app(), project, { slug }));
    const [turn, through, live, away] = pages.map(({ id }) => id);
    for (const id of [turn, through, away])
      expect((await desk.post(`/entries/${id!}/unpublish`, {})).status).toBe(200);
    const redirect = async (source: string, target: string, matchType = 'exact'): Promise<void> => {
      const made = await desk.post('/redirects', {
        siteId: project.siteId,
        source,
        target: '/elsewhere',
        matchType,
      });
      expect(outcome(made)).toEqual([201, undefined]);
      // The loops that the check at writing cannot see come about by promotions; here, by the row.
      await app().rows(project.tenantId, 'UPDATE redirects SET target = $2 WHERE source = $1', [
        source,
        target,
      ]);
    };
    await redirect('/turn', '/x/1');
    await redirect('/x', '/y', 'prefix');
    await redirect('/y/(.*)', '/turn', 'regex');
    await redirect('/through', '/live');
    await redirect('/live', '/through');
    await redirect('/away', '/nowhere');
    const report = await readHealth(desk);
    expect(idsWith(report, 'redirect_loop')).toEqual([turn]);
    expect(report.rows[0]).toMatchObject({ entryId: turn, title: 'Page turn' });
    expect(report.rows[0]?.issues[0]).toMatchObject({
      code: 'redirect_loop',
      severity: 'critical',
      locale: 'en',
    });
    expect((await desk.post(`/entries/${live!}/unpublish`, {})).status).toBe(200);
    expect(idsWith(await readHealth(desk), 'redirect_loop').sort()).toEqual([turn, through, live].sort());
  });
});

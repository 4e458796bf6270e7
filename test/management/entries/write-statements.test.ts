import { describe, expect, it } from '@jest/globals';
import { startBeside } from '../../support/app.js';
import { openDesk, outcome, useApp } from '../../support/desk.js';
import { createEntry, createType } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

/** Statements of a successful unit of work, without key lookups and usage updates. */
async function countOf(work: () => Promise<{ status: number }>): Promise<number> {
  const { result, statements } = await app().recordStatements(work);
  expect(result.status).toBeLessThan(300);
  const first = statements.findIndex((sql) => sql.startsWith('BEGIN'));
  return statements.filter((sql, index) => index >= first && !sql.includes('note_api_key_uses')).length;
}

describe('Cost of a write', () => {
  it('runs 8 statements for a create, 9 for an update and 11 for a publication of a source of translations', async () => {
    const desk = await openDesk(app());
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    const related = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'Related' },
    });
    const { siteId } = desk.project;
    const fields = { author: { _ref: author.id }, related: [{ _ref: related.id }] };
    let id = '';
    const create = (title: string) => async () => {
      const body = { contentTypeApiName: 'article', siteId, fields: { title, ...fields } };
      const made = await desk.post('/entries', body);
      id = made.body.data.id;
      return made;
    };
    await create('First')();
    expect(await countOf(create('Second'))).toBeLessThanOrEqual(8);
    expect(
      await countOf(() => desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Changed' } })),
    ).toBeLessThanOrEqual(9);
    expect(await countOf(() => desk.post(`/entries/${id}/publish`, {}))).toBeLessThanOrEqual(11);
  });
});

describe('Cost of the publication of a source', () => {
  verifies('translations/staleness');

  it('is at most two statements more with 20 locales, of which 19 become stale, than with one', async () => {
    const targets = 'de fr it es pt nl sv da fi nb pl cs sk hu ro bg el et lv'.split(' ');
    const published = async (locales: string[]) => {
      const desk = await openDesk(app(), { locales: ['en', ...locales] });
      const entry = await createEntry(app(), desk.project, {
        contentTypeApiName: 'article',
        fields: { title: 'Lock' },
      });
      const path = `/entries/${entry.id}`;
      for (const [index, locale] of locales.entries()) {
        await desk.put(path, { version: index + 1, locale, fields: { title: `Lock ${locale}` } });
        await desk.post(`${path}/publish`, { locale });
      }
      await desk.post(`${path}/publish`, {});
      await desk.put(path, { version: locales.length + 1, locale: 'en', fields: { title: 'The lock' } });
      const statements = await countOf(() => desk.post(`${path}/publish`, {}));
      const { body } = await desk.get(`/translations?status=stale`);
      const stale = (body.data as { locales: { status: string }[] }[]).flatMap((one) => one.locales);
      return { statements, stale: stale.filter(({ status }) => status === 'stale').length };
    };
    const alone = await published([]);
    const many = await published(targets);
    expect([alone.stale, many.stale]).toEqual([0, targets.length]);
    expect(many.statements).toBeLessThanOrEqual(alone.statements + 2);
  });
});

describe('A write that read an older content type', () => {
  it('sees a content type changed by another process and writes and records the entry once', async () => {
    const desk = await openDesk(app());
    const { project } = desk;
    const other = await startBeside(app());
    try {
      await createEntry(app(), project, { contentTypeApiName: 'article', fields: { title: 'Before' } });
      for (const apiName of ['first', 'second', 'third']) {
        await createType(other, project, { apiName, fields: [{ apiName: 'title', type: 'text' }] });
        const body = { contentTypeApiName: apiName, siteId: project.siteId, fields: { title: 'New' } };
        const made = await desk.post('/entries', body);
        expect(outcome(made)).toEqual([201, undefined]);
        const records = await app().rows(
          project.tenantId,
          "SELECT FROM audit_events WHERE context ->> 'requestId' = $1",
          [made.headers['x-request-id']],
        );
        expect(records).toHaveLength(1);
      }
    } finally {
      await other.close();
    }
  });
});

describe('Writes at the same time', () => {
  it('creates one of several entries with the same slug and fails the others without side effects', async () => {
    const desk = await openDesk(app());
    const { tenantId, siteId } = desk.project;
    const body = { contentTypeApiName: 'article', siteId, slug: 'wanted', fields: { title: 'T' } };
    const all = await Promise.all(Array.from({ length: 6 }, () => desk.post('/entries', body)));
    const outcomes = all.map(outcome).sort(([a], [b]) => a - b);
    expect(outcomes[0]).toEqual([201, undefined]);
    expect(outcomes.slice(1)).toEqual(Array(5).fill([409, 'slug_conflict']));
    const counts = await app().rows(
      tenantId,
      `SELECT (SELECT count(*)::int FROM entries) AS entries, (SELECT count(*)::int FROM entry_versions) AS versions,
         (SELECT count(*)::int FROM audit_events WHERE action = 'entry.create') AS records,
         (SELECT count(*)::int FROM outbox_events WHERE type = 'entry.created') AS events`,
    );
    expect(counts).toEqual([{ entries: 1, versions: 1, records: 1, events: 1 }]);
  });
});

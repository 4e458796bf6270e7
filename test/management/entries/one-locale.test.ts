import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { startBeside, type TestApp } from '../../support/app.js';
import { DatabaseProxy, type Sender } from '../../support/database-proxy.js';
import { Desk, openDesk, outcome, useApp } from '../../support/desk.js';
import { createType } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

/** Characters of the text of each locale. */
const SIZE = 20_000;
/** What a call may take besides documents. */
const SMALL = 8_000;

let proxy: DatabaseProxy;
let beside: TestApp;

beforeAll(async () => {
  const opened = await DatabaseProxy.open(app().databaseUrl);
  proxy = opened.proxy;
  beside = await startBeside({ databaseUrl: opened.url, media: app().media }, { role: 'api' });
});

afterAll(async () => {
  await beside.close();
  proxy.close();
});

interface Written {
  readonly id: string;
  readonly desk: Desk;
}

/** An entry with a long text in English and these locales, published in English. */
async function entryIn(locales: readonly string[]): Promise<Written> {
  const direct = await openDesk(app(), { locales: ['en', ...locales] });
  const { project } = direct;
  await createType(app(), project, {
    apiName: 'book',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'text', type: 'longText' },
    ],
  });
  const desk = new Desk(beside, project);
  const fieldsIn = (locale: string) => ({ title: `Book ${locale}`, text: locale.repeat(SIZE / 2) });
  const made = await desk.post('/entries', {
    contentTypeApiName: 'book',
    siteId: project.siteId,
    fields: fieldsIn('en'),
  });
  const { id } = (made.body as { data: { id: string } }).data;
  for (const [index, locale] of locales.entries())
    await desk.put(`/entries/${id}`, { version: index + 1, locale, fields: fieldsIn(locale) });
  const published = await desk.post(`/entries/${id}/publish`, {});
  expect(outcome(published)).toEqual([200, undefined]);
  return { id, desk };
}

type Call = (written: Written, version: number) => Promise<Response>;

/** In their order, with the documents that each may read. */
const calls: Record<string, { readonly documents: number; readonly call: Call }> = {
  read: { documents: 1, call: ({ desk, id }) => desk.get(`/entries/${id}?locale=en`) },
  'read without a locale': { documents: 1, call: ({ desk, id }) => desk.get(`/entries/${id}`) },
  validation: { documents: 1, call: ({ desk, id }) => desk.get(`/entries/${id}/validation`) },
  update: {
    documents: 1,
    call: ({ desk, id }, version) => desk.put(`/entries/${id}`, { version, fields: { title: 'Changed' } }),
  },
  publication: { documents: 1, call: ({ desk, id }) => desk.post(`/entries/${id}/publish`, {}) },
  'publication in bulk': {
    documents: 1,
    call: ({ desk, id }) => desk.post('/entries/bulk', { action: 'publish', entryIds: [id] }),
  },
  assignment: {
    documents: 0,
    call: ({ desk, id }) =>
      desk.post('/entries/bulk', { action: 'assign', entryIds: [id], params: { assigneeId: null } }),
  },
  versions: { documents: 0, call: ({ desk, id }) => desk.get(`/entries/${id}/versions`) },
  schedules: { documents: 0, call: ({ desk, id }) => desk.get(`/entries/${id}/schedules`) },
  references: { documents: 0, call: ({ desk, id }) => desk.get(`/entries/${id}/references`) },
  unpublication: { documents: 1, call: ({ desk, id }) => desk.post(`/entries/${id}/unpublish`, {}) },
  'restoring one locale': {
    documents: 2,
    call: ({ desk, id }) => desk.post(`/entries/${id}/versions/1/restore`, { locale: 'en' }),
  },
};

type Costs = Record<string, Record<Sender, number>>;

async function costsOf(written: Written, version: number): Promise<Costs> {
  const costs: Costs = {};
  for (const [name, { call }] of Object.entries(calls)) {
    let result: Response | undefined;
    const bytes = await proxy.measure(async () => (result = await call(written, version)));
    expect([name, result?.status]).toEqual([name, 200]);
    costs[name] = { ...bytes };
  }
  return costs;
}

describe('What is written in other locales', () => {
  verifies('architecture/write-cost');

  it('is not read by calls for one locale, and a change of one field is sent and recorded as small as it is', async () => {
    const others = ['de', 'fr', 'it', 'es', 'pt', 'nl'];
    const alone = await costsOf(await entryIn([]), 1);
    const many = await entryIn(others);
    const costs = await costsOf(many, others.length + 1);
    for (const [name, { documents }] of Object.entries(calls)) {
      const read = costs[name]?.database ?? Infinity;
      expect([name, Math.round(read / SIZE)]).toEqual([name, documents]);
      expect(read).toBeLessThan((alone[name]?.database ?? 0) + SMALL);
    }
    // The draft and its version are one text in one statement.
    expect(Math.round((costs.update?.service ?? Infinity) / SIZE)).toBe(1);
    const records = await app().rows<{
      action: string;
      bytes: number;
      before: { fields?: object };
      after: object;
    }>(
      many.desk.project.tenantId,
      `SELECT action, before, after, length(before::text || after::text) AS bytes FROM audit_events
       WHERE target ->> 'id' = $1 AND before IS NOT NULL AND locale = 'en' ORDER BY number`,
      [many.id],
    );
    expect(records.filter(({ bytes }) => bytes > SMALL)).toEqual([]);
    const changed = (action: string) => records.find((record) => record.action === action);
    expect(changed('entry.update')).toMatchObject({
      before: { version: 7, fields: { title: 'Book en' } },
      after: { version: 8, fields: { title: 'Changed' } },
    });
    expect(changed('entry.publish')).toMatchObject({ before: { fields: {} }, after: { fields: {} } });
    expect(changed('entry.restore')).toMatchObject({ after: { fields: { title: 'Book en' } } });
  });
});

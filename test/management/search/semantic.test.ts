import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startBeside, startTestApp, type TestApp } from '../../support/app.js';
import { column, openDesk, outcome, type Desk } from '../../support/desk.js';
import { sendJson, startEmbeddingServer, type EmbeddingServer } from '../../support/embedding-server.js';
import { createEntry, createType, publish } from '../../support/factories/content.js';
import { createLeafletTypes, leaflet, section } from '../../support/factories/own-blocks.js';
import { unique } from '../../support/factories/project.js';
import { sessionWith } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { waitFor } from '../../support/wait-for.js';
import { article, change, otherSite } from '../entries/history.js';
import { find, indexAll } from './scene.js';

const TIMEOUT_MS = 30_000;
let server: EmbeddingServer;
let app: TestApp;

beforeAll(async () => {
  server = await startEmbeddingServer();
  const embedding = { url: server.url, model: 'small', timeoutMilliseconds: TIMEOUT_MS };
  app = await startTestApp({ search: { embedding } });
});
beforeEach(() => {
  Object.assign(server.behavior, { dimensions: 16, refuse: undefined, reply: undefined });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const embed = (of: TestApp): Promise<number> => of.composition.jobs.embedTexts();

/** Indexes, and makes vectors until nothing waits for them. */
async function embedAll(of: TestApp = app): Promise<void> {
  await indexAll(of);
  await waitFor('nothing waits for vectors', async () => {
    await embed(of);
    const [row] = await of.rows<{ waiting: number }>(
      null,
      'SELECT count(*)::int AS waiting FROM search_vector_queue',
    );
    return row?.waiting === 0;
  });
}

const meaning = (desk: Desk, q: string, rest = '') =>
  find(desk, `q=${encodeURIComponent(q)}&mode=semantic${rest}`);

const nearest = async (desk: Desk, q: string): Promise<unknown> => {
  await embedAll(desk.app);
  return column(await meaning(desk, q), 'title')[0];
};

async function sentBy<T>(work: () => Promise<T>): Promise<string[]> {
  const before = server.texts.length;
  await work();
  return server.texts.slice(before);
}

const unavailable = [503, 'embedding_unavailable'];

describe('Search by meaning', () => {
  verifies('search/meaning');

  it('finds texts that mean the same in other words, the nearest first', async () => {
    const desk = await openDesk(app);
    for (const title of ['Bread and butter', 'Boat trips', 'Storm warning', 'Login', 'Das Schiff'])
      await article(desk, { title });
    await embedAll();
    const { body } = await meaning(desk, 'vessel', '&facets=status');
    const titles = body.data.map(({ title }: { title: string }) => title);
    expect([titles.slice(0, 2).sort(), titles.length]).toEqual([['Boat trips', 'Das Schiff'], 5]);
    expect(body.meta).toMatchObject({ total: 5, facets: { status: { draft: 5 } } });
    const scores = body.data.map(({ score }: { score: number }) => score);
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
    expect((await find(desk, 'q=vessel')).body.meta.total).toBe(0);
    expect((await find(desk, 'mode=semantic')).body.meta.total).toBe(5);
  });

  it('knows the text of blocks, whose entries it finds', async () => {
    const desk = await openDesk(app);
    await createLeafletTypes(desk);
    await leaflet(desk, { title: 'One', sections: [section({ title: 'Bread and butter' })] });
    const { id } = await leaflet(desk, { title: 'Two', sections: [section({ title: 'Boat trips' })] });
    await embedAll();
    const { body } = await meaning(desk, 'vessel');
    expect([body.data[0].entryId, body.meta.total]).toEqual([id, 2]);
  });

  it('combines words and meaning, pages, sorts and filters', async () => {
    const desk = await openDesk(app);
    await article(desk, { title: 'Vessel of clay' });
    const { id } = await article(desk, { title: 'Boat trips' });
    await article(desk, { title: 'Bread' });
    await article(desk, { title: 'Weather' });
    await publish(app, desk.project, id);
    await embedAll();
    const hybrid = (rest = '') => find(desk, `q=vessel&mode=hybrid&highlight=true${rest}`);
    const { body } = await hybrid();
    expect(body.data[0]).toMatchObject({ title: 'Vessel of clay' });
    expect(body.data[0].highlights.title).toEqual(['<em>Vessel</em> of clay']);
    expect(body.data.map(({ title }: { title: string }) => title)).toContain('Boat trips');
    expect(column(await hybrid('&limit=1&page=2'), 'title')).toEqual([body.data[1].title]);
    expect(column(await hybrid('&sort=title:desc'), 'title')[0]).toBe('Weather');
    expect(column(await hybrid('&status=published'), 'title')).toEqual(['Boat trips']);
    await change(desk, id, { locale: 'de', fields: { title: 'Das Schiff' } });
    await embedAll();
    const grouped = (await hybrid('&group=entry&facets=locale')).body;
    expect(grouped.meta).toMatchObject({ total: 4, facets: { locale: { en: 4, de: 1 } } });
    const boats = grouped.data.filter(({ entryId }: { entryId: string }) => entryId === id);
    expect(boats).toMatchObject([{ locales: ['de', 'en'], path: null }]);
    expect(outcome(await find(desk, 'q=vessel&mode=magic'))).toEqual([422, 'validation_failed']);
  });

  it('counts only what the caller may read', async () => {
    const desk = await openDesk(app);
    await createType(app, desk.project, { apiName: 'boat', fields: [{ apiName: 'name', type: 'text' }] });
    await createEntry(app, desk.project, { contentTypeApiName: 'boat', fields: { name: 'Ship' } });
    await article(desk, { title: 'Vessel' }, { siteId: await otherSite(desk) });
    await article(desk, { title: 'Bread' });
    await embedAll();
    const seen = async (scope: object, mode: string): Promise<unknown> => {
      const member = await sessionWith(app, desk.project, [
        { resource: 'search', action: 'read' },
        { resource: 'entries', action: 'read', scope },
      ]);
      const { body } = await find(desk.as(member), `q=boat&mode=${mode}&facets=contentType`);
      return [
        body.data.map(({ title }: { title: string }) => title).sort(),
        body.meta.total,
        body.meta.facets,
      ];
    };
    for (const mode of ['semantic', 'hybrid']) {
      const ofType = { contentTypes: ['article'], siteIds: [desk.project.siteId] };
      expect(await seen(ofType, mode)).toEqual([['Bread'], 1, { contentType: { article: 1 } }]);
      expect(await seen({ ownOnly: true }, mode)).toEqual([[], 0, { contentType: {} }]);
    }
    const stranger = await openDesk(app);
    expect((await meaning(stranger, 'boat')).body.meta?.total ?? 0).toBe(0);
  });

  it('sends each text once: not when it is published, copied or branched', async () => {
    const desk = await openDesk(app);
    const title = `Boat ${unique()}`;
    const { id } = await article(desk, { title });
    expect(await sentBy(() => embedAll())).toContain(title);
    const later = await sentBy(async () => {
      await publish(app, desk.project, id);
      await article(desk, { title }, { slug: 'again' });
      const { slug } = (await desk.post('/environments', { slug: `e-${unique()}`, name: 'Branch' })).body
        .data;
      await app.composition.jobs.workOnEnvironments();
      await embedAll();
      expect((await meaning(desk.in(slug), 'ship')).body.meta.total).toBe(2);
    });
    expect(later.filter((text) => text.includes(title))).toEqual([]);
    const other = await sentBy(async () => {
      await change(desk, id, { fields: { title: `Bread ${title}` } });
      await embedAll();
    });
    expect(other).toContain(`Bread ${title}`);
  });

  it('finds no text that was replaced or deleted', async () => {
    const desk = await openDesk(app);
    const { id } = await article(desk, { title: 'Boat' });
    await article(desk, { title: 'Ship of steel' });
    expect(await nearest(desk, 'vessel')).toBe('Boat');
    await change(desk, id, { fields: { title: 'Bread' } });
    expect(await nearest(desk, 'vessel')).toBe('Ship of steel');
    const { version } = (await desk.get(`/entries/${id}`)).body.data as { version: number };
    await desk.delete(`/entries/${id}?version=${String(version)}`);
    await embedAll();
    expect(column(await meaning(desk, 'loaf'), 'title')).toEqual(['Ship of steel']);
  });
});

describe('An embedding server', () => {
  verifies('search/embedding');

  it.each(['is overloaded', 'sends no numbers'])(
    'that %s stops nothing else, and gets later what was written',
    async (title) => {
      const desk = await openDesk(app);
      await article(desk, { title: 'Boat' });
      await embedAll();
      server.behavior.reply = (response, texts) => {
        if (title === 'is overloaded') sendJson(response, 503, {});
        else sendJson(response, 200, { data: texts.map((_, index) => ({ index, embedding: [null] })) });
      };
      await article(desk, { title: 'Rain' });
      await indexAll(app);
      expect(await embed(app)).toBe(0);
      expect(outcome(await meaning(desk, `sea ${title}`))).toEqual(unavailable);
      expect(outcome(await find(desk, `q=sea+${unique()}&mode=hybrid`))).toEqual(unavailable);
      expect(column(await find(desk, 'q=rain'), 'title')).toEqual(['Rain']);
      expect((await app.request.get('/readyz')).status).toBe(200);
      server.behavior.reply = undefined;
      expect(await nearest(desk, 'storm')).toBe('Rain');
    },
  );

  it('that refuses one text makes vectors of the others; a long one is shortened', async () => {
    const desk = await openDesk(app);
    server.behavior.refuse = 'forbidden';
    await article(desk, { title: 'A forbidden ship' }, { slug: 'refused' });
    await article(desk, { title: `Bread ${'flour '.repeat(60)}forbidden` }, { slug: 'long' });
    await article(desk, { title: 'Boat' });
    await embedAll();
    const { data } = (await meaning(desk, 'ship')).body;
    const slugs = data.map(({ slug }: { slug: string }) => slug);
    expect([slugs.includes('long'), slugs.includes('refused'), data[0].title]).toEqual([true, false, 'Boat']);
  });

  it('that refuses everything loses nothing', async () => {
    const desk = await openDesk(app);
    server.behavior.refuse = '';
    await article(desk, { title: `Ship ${unique()}` });
    await indexAll(app);
    expect(await embed(app)).toBe(0);
    server.behavior.refuse = undefined;
    expect(await nearest(desk, 'vessel')).toMatch(/^Ship/);
  });

  it('makes all vectors again for another model, and for other dimensions', async () => {
    const desk = await openDesk(app);
    const title = `Boat ${unique()}`;
    await article(desk, { title });
    await article(desk, { title: 'Bread' });
    await embedAll();
    const embedding = { url: server.url, model: 'large', timeoutMilliseconds: TIMEOUT_MS };
    const beside = await startBeside(app, { search: { embedding } });
    const there = (q: string) =>
      beside.request
        .get(`${desk.project.management}/search?mode=semantic&q=${q}`)
        .set('Authorization', `Bearer ${desk.project.keys.management}`);
    try {
      expect(outcome(await there('vessel'))).toEqual(unavailable);
      expect(await sentBy(() => embedAll(beside))).toContain(title);
      expect(column(await there('vessel'), 'title')).toEqual([title, 'Bread']);
      expect(outcome(await meaning(desk, 'vessel'))).toEqual(unavailable);
      server.behavior.dimensions = 24;
      expect(outcome(await there('ship'))).toEqual(unavailable);
      await article(desk, { title: 'Weather' });
      await indexAll(beside);
      const again = await sentBy(() =>
        waitFor('vectors have other dimensions', async () => {
          await embedAll(beside);
          return (await there('ship')).status === 200;
        }),
      );
      expect(again).toContain(title);
      expect(column(await there('ship'), 'title')[0]).toBe(title);
    } finally {
      await beside.close();
    }
  });

  it('finds what passes a filter behind more documents than are read first', async () => {
    const desk = await openDesk(app);
    await createType(app, desk.project, { apiName: 'boat', fields: [{ apiName: 'name', type: 'text' }] });
    const items = Array.from({ length: 100 }, () => ({
      action: 'create',
      contentTypeApiName: 'boat',
      siteId: desk.project.siteId,
      fields: { name: 'Ship' },
    }));
    // Of wide vectors, 300 are compared, and 600 are read first.
    for (let batch = 0; batch < 7; batch += 1)
      expect(outcome(await desk.post('/entries/batch', { items }))).toEqual([200, undefined]);
    for (const title of ['Bread', 'Rain']) await article(desk, { title });
    server.behavior.dimensions = 1400;
    const embedding = { url: server.url, model: 'wide', timeoutMilliseconds: TIMEOUT_MS };
    const beside = await startBeside(app, { search: { embedding } });
    const found = async (rest: string) => {
      const path = `${desk.project.management}/search?mode=semantic&q=vessel${rest}`;
      const bearer = `Bearer ${desk.project.keys.management}`;
      const response = await beside.request.get(path).set('Authorization', bearer);
      return [column(response, 'title').sort(), response.body.meta.total];
    };
    try {
      await embedAll(beside);
      expect((await found('&limit=1'))[1]).toBe(200);
      expect(await found('&contentTypeApiName=article')).toEqual([['Bread', 'Rain'], 2]);
    } finally {
      await beside.close();
    }
  });
});

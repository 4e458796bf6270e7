import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { LiveChannel } from '../../src/infrastructure/live-channel.js';
import { EntryChanges, type EntryChangeList } from '../../src/infrastructure/entry-changes.js';
import { Exchange } from '../../src/surfaces/http/exchange.js';
import { PreviewStreams } from '../../src/surfaces/live/preview-stream.js';
import { startBeside, type TestApp } from '../support/app.js';
import { openDesk, useApp, type Desk } from '../support/desk.js';
import { publish } from '../support/factories/content.js';
import { watchedLogger } from '../support/log-lines.js';
import { eventsAt, type LiveEvents } from '../support/live-events.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';
import { article, change, otherSite } from '../management/entries/history.js';

const app = useApp();
let other: TestApp;
let desk: Desk;
const opened: LiveEvents[] = [];

beforeAll(async () => {
  other = await startBeside(app());
  desk = await openDesk(app());
});
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});
afterAll(() => other.close());

const sessionOf = async (by: Desk, body: object = {}): Promise<string> => {
  const made = await by.post('/preview-sessions', { siteId: by.project.siteId, ...body });
  return (made.body as { data: { token: string } }).data.token;
};

interface Opening {
  readonly token?: string;
  readonly key?: string;
  readonly cookie?: string;
  readonly base?: string;
}

/** In the second process; changes are made in the first. */
async function stream({ token, key, cookie, base = desk.project.delivery }: Opening): Promise<LiveEvents> {
  const query = token === undefined ? '' : `?previewToken=${token}`;
  const made = await eventsAt(other, `${base}/preview/stream${query}`, {
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(cookie !== undefined && { Cookie: cookie }),
  });
  opened.push(made);
  return made;
}

const named = ({ seen }: LiveEvents) =>
  seen.map(({ data }) => data as { entryId: string | null; locale: string });
const hears = (one: LiveEvents, entryId: string) =>
  waitFor('the change arrives', () => named(one).some((event) => event.entryId === entryId));

describe('The stream of changes of a site', () => {
  verifies('publication/preview-stream');

  it('sends what was written and published in another process, with locale and version', async () => {
    const streams = [
      await stream({ token: await sessionOf(desk) }),
      await stream({ key: desk.project.keys.preview }),
      await stream({ key: desk.project.keys.management }),
      await stream({ cookie: `headwater_preview=${await sessionOf(desk)}` }),
    ];
    const { id, version } = await article(desk);
    for (const one of streams) await hears(one, id);
    await change(desk, id, { locale: 'de', fields: { title: 'Titel' } });
    await publish(app(), desk.project, id);
    for (const one of streams) {
      await waitFor('the publication arrives', () => one.seen.length >= 3);
      expect(one.seen.map(({ event }) => event)).toEqual(['changed', 'changed', 'changed']);
      const later = expect.any(Number);
      expect(named(one)).toEqual([
        { entryId: id, locale: 'en', version },
        { entryId: id, locale: 'de', version: version + 1 },
        { entryId: id, locale: 'en', version: later },
      ]);
    }
  });

  it('sends nothing of other sites and environments, of other locales than its own, or of what no preview shows', async () => {
    const german = await stream({ token: await sessionOf(desk, { locales: ['de'] }) });
    const siteId = await otherSite(desk, { slug: 'stream-elsewhere' });
    await article(desk, { title: 'Elsewhere' }, { siteId });
    const stranger = await openDesk(app());
    await article(stranger);
    const { id } = await article(desk);
    await desk.post(`/entries/${id}/preview`);
    await desk.post(`/entries/${id}/publish`, { scheduledAt: '2099-01-01T00:00:00Z' });
    const last = await article(desk, { title: 'Zuletzt' }, { locale: 'de' });
    await hears(german, last.id);
    expect(named(german)).toEqual([{ entryId: last.id, locale: 'de', version: last.version }]);
  });

  it('sends changes of the fallbacks of its locales', async () => {
    const own = await openDesk(app(), { locales: ['en', { code: 'de', fallbackCode: 'en' }, 'fr'] });
    const token = await sessionOf(own, { locales: ['de'] });
    const german = await stream({ token, base: own.project.delivery });
    const french = await article(own, { title: 'Titre' }, { locale: 'fr' });
    const english = await article(own);
    await hears(german, english.id);
    expect(named(german).map(({ entryId }) => entryId)).not.toContain(french.id);
  });

  it('is refused to who sees no drafts, for another site, and without an event stream', async () => {
    const { delivery, keys } = desk.project;
    const token = await sessionOf(desk);
    const stranger = await openDesk(app());
    expect((await stream({})).status).toBe(403);
    expect((await stream({ key: keys.delivery })).status).toBe(403);
    expect((await stream({ token: `${token}x` })).status).toBe(403);
    expect((await stream({ token, base: stranger.project.delivery })).status).toBe(403);
    expect((await stream({ key: keys.preview, base: delivery.replace(/main$/, 'none') })).status).toBe(404);
    expect((await stream({ token, base: delivery.replace(/main$/, 'none') })).status).toBe(403);
    const plain = await fetch(`${other.baseUrl}${delivery}/preview/stream?previewToken=${token}`);
    expect(plain.status).toBe(406);
  });

  it('cuts off a client that never reads, and keeps one that catches up, which hears that anything may have changed', async () => {
    const { services } = other.composition;
    const streams = new PreviewStreams(services, 200);
    const settings = { logger: watchedLogger(), trustedProxies: [], sharedHeaders: [] };
    const server = http.createServer((request, response) => {
      void streams.open(new Exchange(request, response, settings), desk.project.slug, 'main');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const path = `/?previewToken=${await sessionOf(desk)}`;
    const reader = await eventsAt({ baseUrl: `http://127.0.0.1:${String(port)}` }, path);
    opened.push(reader);
    const silent = net.connect(port, '127.0.0.1');
    silent.on('error', () => undefined).pause();
    silent.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n`);
    const isOpen = () => promisify(server.getConnections.bind(server))();
    await waitFor('both are open', async () => (await isOpen()) === 2);
    const catalog = await services.catalogs.find(desk.project.slug, null);
    const place = { environmentId: catalog?.data.environment.id ?? '', siteId: desk.project.siteId };
    const many = Array.from({ length: 900 }, (_, at) => ({
      ...place,
      entryId: `019a3b5e-7c1a-7f00-8000-${String(at).padStart(12, '0')}`,
      locale: 'en',
      version: 1,
    }));
    const messages: string[] = [];
    const { live } = services;
    const sender = new LiveChannel();
    sender.connect((message) => Promise.resolve(messages.push(message)));
    new EntryChanges(sender).tell(many);
    await waitFor('the messages are made', () => messages.length === 18);
    await waitFor('the silent client is cut off', async () => {
      // In one turn of the event loop, so that nothing is read in between.
      for (const message of messages) live.receive(message);
      return (await isOpen()) === 1;
    });
    await waitFor('the other one hears of any', () => named(reader).some(({ entryId }) => entryId === null));
    const { id } = await article(desk);
    await hears(reader, id);
    reader.close();
    server.close();
  });

  it('ends with the service', async () => {
    const beside = await startBeside(app());
    const token = await sessionOf(desk);
    const one = await eventsAt(beside, `${desk.project.delivery}/preview/stream?previewToken=${token}`);
    beside.composition.beginDrain();
    await one.ended;
    const closed = await eventsAt(beside, `${desk.project.delivery}/preview/stream?previewToken=${token}`);
    expect(closed.status).toBe(503);
    await beside.close();
  });
});

describe('Changes of entries between processes', () => {
  verifies('publication/preview-stream');

  const place = { environmentId: 'e', siteId: 's', locale: null };

  function connected(): { changes: EntryChanges; messages: string[]; heard: EntryChangeList[] } {
    const live = new LiveChannel();
    const messages: string[] = [];
    const heard: EntryChangeList[] = [];
    live.connect((message) => {
      messages.push(message);
      live.receive(message);
      return Promise.resolve();
    });
    const changes = new EntryChanges(live);
    changes.watch('e', (list) => heard.push(list));
    return { changes, messages, heard };
  }

  it('are sent in messages that PostgreSQL takes, and by their number alone beyond a limit', async () => {
    const { changes, messages, heard } = connected();
    const entry = (at: number) => ({
      ...place,
      entryId: `019a3b5e-7c1a-7f00-8000-${String(at).padStart(12, '0')}`,
      siteId: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69',
      locale: 'zh-Hant-TW',
      version: 4_000_000_000,
    });
    changes.tell(Array.from({ length: 1000 }, (_, at) => entry(at)));
    await waitFor('all arrive', () => heard.flat().length === 1000);
    expect(messages).toHaveLength(20);
    expect(Math.max(...messages.map((message) => Buffer.byteLength(message)))).toBeLessThan(8000);
    changes.tell(Array.from({ length: 5000 }, (_, at) => entry(at)));
    await waitFor('the rest arrives', () => heard.at(-1) === null);
    expect(messages).toHaveLength(21);
  });

  it('are sent once for an entry and locale that changes several times in a moment', async () => {
    const { changes, heard } = connected();
    for (const version of [1, 2, 3]) changes.tell([{ ...place, entryId: 'a', version }]);
    await waitFor('it arrives', () => heard.length > 0);
    expect(heard).toEqual([[{ entryId: 'a', siteId: 's', locale: null, version: 3 }]]);
  });

  it('are not received after the watch has ended', async () => {
    const { changes, heard } = connected();
    const late: EntryChangeList[] = [];
    changes.watch('e', (list) => late.push(list))();
    changes.tell([{ ...place, entryId: 'a', version: 1 }]);
    await waitFor('it arrives', () => heard.length > 0);
    expect(late).toEqual([]);
  });
});

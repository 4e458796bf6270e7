import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpTranslator } from '../../../src/infrastructure/translator/http-translator.js';
import { startBeside } from '../../support/app.js';
import { column, Desk, openDesk, outcome, useOwnApp } from '../../support/desk.js';
import { paragraphs } from '../../support/factories/content.js';
import { blocksIn, createLeafletTypes, leaflet, section } from '../../support/factories/own-blocks.js';
import { verifies } from '../../support/verifies.js';
import { filled } from '../../support/filled-xliff.js';
import { newEntry, publishIn, translationIn, write } from './desk.js';

type Reply = (xliff: string, response: http.ServerResponse) => unknown;

const maximumBytes = 20_000;
let url = '';
let reply: Reply;
let received: http.IncomingHttpHeaders;

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received = request.headers;
    void reply(Buffer.concat(chunks).toString(), response);
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/translate`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const engine = (more: { url?: string; timeoutMilliseconds?: number } = {}) =>
  new HttpTranslator({ url, key: 'engine-key', maximumBytes, ...more });
let translate = (xliff: string): Promise<string> => engine().translate(xliff);
const app = useOwnApp({ translator: { translate: (xliff) => translate(xliff) } });

const translated = (xliff: string): string => filled(xliff).replace(/<target>/g, '<target>DE ');
const answerWith =
  (change: (xliff: string) => string): Reply =>
  (xliff, response) =>
    response.end(change(xliff));

async function published(desk: Desk, fields: Record<string, unknown>): Promise<string> {
  const id = await newEntry(desk, fields);
  await publishIn(desk, id, 'en');
  return id;
}

const suggest = (desk: Desk, id: string, locale = 'de') =>
  desk.post(`/translations/${id}/${locale}/suggest`, {});
const germanFields = async (desk: Desk, id: string): Promise<unknown> =>
  ((await desk.get(`/entries/${id}?locale=de`)).body as { data: { fields: unknown } }).data.fields;

describe('POST translations/{entryId}/{locale}/suggest', () => {
  verifies('translations/suggestions');

  it('fills missing values of blocks and leaves the others', async () => {
    const desk = await openDesk(app());
    await createLeafletTypes(desk);
    const sections = [section({ title: 'Upper lock' }), section({ title: 'Weir' })];
    const made = await leaflet(desk, { title: 'Rivers', sections });
    await publishIn(desk, made.id, 'en');
    const [one, two] = blocksIn(made, 'sections').map(({ _ref }) => _ref);
    const german = [{ _ref: one, fields: { title: 'Schleuse' } }, { _ref: two }];
    await write(desk, made.id, { locale: 'de', fields: { title: 'Flüsse', sections: german } });
    reply = answerWith(translated);
    const response = await suggest(desk, made.id);
    expect(response.body.data?.appliedFields).toEqual([`sections[${String(two)}].title`]);
    expect(await germanFields(desk, made.id)).toMatchObject({
      title: 'Flüsse',
      sections: [{ fields: { title: 'Schleuse' } }, { fields: { title: 'DE Weir' } }],
    });
    reply = () => {
      throw new Error('nothing is missing');
    };
    expect((await suggest(desk, made.id)).body.data.units).toEqual([]);
  });

  it('fills missing fields and leaves the others', async () => {
    const desk = await openDesk(app());
    const id = await published(desk, { title: 'Lock', body: paragraphs('Open {name}.') });
    await write(desk, id, { locale: 'de', fields: { title: 'Schleuse' } });
    reply = answerWith(translated);
    const response = await suggest(desk, id);
    expect([response.status, response.body.data?.appliedFields]).toEqual([200, ['body']]);
    expect(received).toMatchObject({
      authorization: 'Bearer engine-key',
      'content-type': 'application/xliff+xml',
    });
    expect(await germanFields(desk, id)).toEqual({ title: 'Schleuse', body: paragraphs('DE Open {name}.') });
    expect(await translationIn(desk, id, 'de')).toMatchObject({ status: 'needs_review', progress: 1 });
    const audit = await desk.get(`/audit-events?targetId=${id}&action=translation.suggest`);
    expect(column(audit, 'locale')).toEqual(['de']);
    reply = () => {
      throw new Error('nothing is missing');
    };
    expect((await suggest(desk, id)).body.data).toMatchObject({ appliedFields: [], units: [] });
  });

  it('refuses targets that lost a mark or placeholder', async () => {
    const desk = await openDesk(app());
    const id = await published(desk, { title: 'Lock', body: paragraphs('Open {name}.') });
    reply = answerWith((xliff) => {
      const [start = '', ...targets] = translated(xliff).split('<target>');
      return [start, ...targets.map((target) => target.replace(/^([^<]*)<ph [^>]*>/, '$1'))].join('<target>');
    });
    const { data } = (await suggest(desk, id)).body as {
      data: { appliedFields: string[]; units: { code: string | null }[] };
    };
    expect([data.appliedFields, data.units.map(({ code }) => code)]).toEqual([
      ['title'],
      [null, 'changed_codes'],
    ]);
    expect(await germanFields(desk, id)).toEqual({ title: 'DE Lock' });
  });

  it('holds no lock while the engine works, and keeps what is written concurrently', async () => {
    const desk = await openDesk(app());
    const id = await published(desk, { title: 'Lock', body: paragraphs('Open.') });
    reply = async (xliff, response) => {
      await write(desk, id, { locale: 'de', fields: { title: 'Mine' } });
      response.end(translated(xliff));
    };
    expect((await suggest(desk, id)).body.data).toMatchObject({ appliedFields: ['body'] });
    expect(await germanFields(desk, id)).toEqual({ title: 'Mine', body: paragraphs('DE Open.') });
  });

  it('reports a source that changed while the engine worked', async () => {
    const desk = await openDesk(app());
    const id = await published(desk, { title: 'Lock' });
    reply = async (xliff, response) => {
      await write(desk, id, { locale: 'en', fields: { title: 'Weir' } });
      await publishIn(desk, id, 'en');
      response.end(translated(xliff));
    };
    const { body } = await suggest(desk, id);
    expect([body.data.appliedFields, body.data.units[0].outcome]).toEqual([[], 'stale_source']);
  });

  it('writes nothing when the engine fails, and says why', async () => {
    const desk = await openDesk(app());
    const id = await published(desk, { title: 'Lock' });
    const failure = async (given: Reply) => {
      reply = given;
      const { status, body } = await suggest(desk, id);
      return [status, body.error, body.details?.reason];
    };
    const status =
      (code: number, headers = {}): Reply =>
      (_xliff, response) =>
        response.writeHead(code, headers).end('x');
    expect(await failure(status(500))).toEqual([502, 'translation_failed', 'status_500']);
    expect(await failure(status(503))).toEqual([503, 'translation_unavailable', 'status_503']);
    expect(await failure(status(302, { Location: url }))).toEqual([502, 'translation_failed', 'status_302']);
    expect(await failure(answerWith(() => 'no XML'))).toEqual([502, 'translation_failed', 'malformed_xml']);
    const doctype = answerWith((xliff) =>
      xliff.replace('<xliff', '<!DOCTYPE x SYSTEM "file:///etc/passwd"><xliff'),
    );
    expect(await failure(doctype)).toEqual([502, 'translation_failed', 'doctype']);
    const other = answerWith((xliff) => filled(xliff).replace('trgLang="de"', 'trgLang="fr"'));
    expect(await failure(other)).toEqual([502, 'translation_failed', 'other_file']);
    const large = answerWith((xliff) => xliff + ' '.repeat(maximumBytes));
    expect(await failure(large)).toEqual([502, 'translation_failed', 'too_large']);
    translate = (xliff) => engine({ timeoutMilliseconds: 50 }).translate(xliff);
    expect(await failure(() => undefined)).toEqual([504, 'translation_timeout', 'timeout']);
    translate = (xliff) => engine({ url: 'http://127.0.0.1:1/' }).translate(xliff);
    expect(await failure(() => undefined)).toEqual([503, 'translation_unavailable', 'unreachable']);
    translate = (xliff) => engine().translate(xliff);
    expect(await germanFields(desk, id)).toEqual({});
    expect((await desk.get(`/entries/${id}`)).body.data.version).toBe(1);
  });

  it('checks the target before it asks', async () => {
    const desk = await openDesk(app());
    const id = await newEntry(desk, { title: 'Lock' });
    expect(outcome(await suggest(desk, id))).toEqual([409, 'source_missing']);
    expect(outcome(await suggest(desk, id, 'en'))).toEqual([422, 'source_locale']);
    expect(outcome(await suggest(desk, id, 'xx'))).toEqual([404, 'locale_not_found']);
    const other = await openDesk(app());
    expect(outcome(await suggest(other, id))).toEqual([404, 'entry_not_found']);
  });

  it('is 501 without an engine', async () => {
    const desk = await openDesk(app());
    const id = await published(desk, { title: 'Lock' });
    const plain = await startBeside(app(), { translator: undefined });
    try {
      expect(outcome(await suggest(new Desk(plain, desk.project), id))).toEqual([501, 'not_configured']);
    } finally {
      await plain.close();
    }
  });
});

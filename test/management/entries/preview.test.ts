import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { previewSecretFrom, PreviewTokens } from '../../../src/access/signed-token.js';
import { testSecret } from '../../support/app.js';
import { send } from '../../support/call.js';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { article, change, otherSite } from './history.js';

const app = useApp();

interface Link {
  readonly url: string;
  readonly token: string;
  readonly expiresAt: string;
}

const preview = (desk: Desk, id: string, body: object = {}): Promise<Response> =>
  desk.post(`/entries/${id}/preview`, body);
const link = async (desk: Desk, id: string, body: object = {}): Promise<Link> =>
  (await preview(desk, id, body)).body.data as Link;
/** Reads from delivery with a token and no credential. */
const read = (desk: Desk, id: string, query: string, delivery = desk.project.delivery): Promise<Response> =>
  send(app(), { method: 'GET', path: `${delivery}/entries/${id}?${query}` });

describe('POST preview', () => {
  verifies('entries/further-operations', 'publication/preview-tokens');

  it('returns a delivery URL that shows the draft for an hour, as a page in browsers', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const { status, body } = await preview(desk, id);
    expect(status).toBe(200);
    const { url, token, expiresAt } = body.data as Link;
    expect(url).toBe(`${desk.project.delivery}/entries/${id}?locale=en&previewToken=${token}`);
    const seconds = (Date.parse(expiresAt) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(3590);
    expect(seconds).toBeLessThanOrEqual(3600);
    const shown = await send(app(), { method: 'GET', path: url });
    expect([shown.status, shown.type]).toEqual([200, 'application/json']);
    const led = await app().request.get(url).set('Accept', 'text/html,*/*;q=0.8');
    const location = `/preview/${desk.project.slug}/main?entry=${id}&locale=en&previewToken=${token}`;
    expect([led.status, led.headers.location, led.headers['cache-control']]).toEqual([
      ...[302, location, 'private, no-store'],
    ]);
    const page = await send(app(), { method: 'GET', path: location });
    expect([page.status, page.type]).toEqual([200, 'text/html']);
  });

  it("fills the site's template, everything in it encoded", async () => {
    const desk = await openDesk(app());
    const template =
      'https://p.example{path}?t={token}&l={locale}&s={slug}&e={entryId}&c={contentType}&x={other}';
    await desk.put('/sites/main', { previewUrlTemplate: template });
    const { id } = await article(desk, { title: 'T' }, { slug: 'ä&b' });
    const { url, token } = await link(desk, id, { path: '/news/a b?c#d' });
    expect(url).toBe(
      `https://p.example/news/a%20b%3Fc%23d?t=${token}&l=en&s=${encodeURIComponent('ä&b')}&e=${id}&c=article&x={other}`,
    );
    expect((await link(desk, id)).url).toContain(`https://p.example/${encodeURIComponent('ä&b')}?`);
  });

  it.each(['javascript:alert("{token}")', 'data:text/html,{token}', '//p.example/{slug}', 'ftp://p.example'])(
    'refuses the template %j, which is no http URL',
    async (previewUrlTemplate) => {
      const desk = await openDesk(app());
      const refused = await desk.put('/sites/main', { previewUrlTemplate });
      expect(outcome(refused)).toEqual([422, 'validation_failed']);
    },
  );

  it('uses the preview template of the named site', async () => {
    const desk = await openDesk(app());
    const siteId = await otherSite(desk, { previewUrlTemplate: 'https://other.example/{slug}' });
    const { id } = await article(desk);
    expect((await link(desk, id, { siteId })).url).toBe('https://other.example/title');
  });

  it('writes one audit record that names the creator but not the token', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const { headers, body } = await preview(desk, id);
    const records = await app().rows<{ action: string; after: object }>(
      desk.project.tenantId,
      "SELECT action, after FROM audit_events WHERE context ->> 'requestId' = $1",
      [headers['x-request-id']],
    );
    expect(records).toMatchObject([{ action: 'entry.preview', after: { locale: 'en', versionNum: null } }]);
    expect(JSON.stringify(records)).not.toContain((body.data as Link).token);
  });

  it('returns 404 for unknown ids and 422 for invalid input', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    expect(outcome(await preview(desk, 'nothing'))).toEqual([404, 'entry_not_found']);
    expect(outcome(await preview(desk, id, { locale: 'xx' }))).toEqual([404, 'locale_not_found']);
    expect(outcome(await preview(desk, id, { versionNum: 2 }))).toEqual([404, 'version_not_found']);
    const siteId = '0198c0de-0000-7000-8000-000000000000';
    expect(outcome(await preview(desk, id, { siteId }))).toEqual([404, 'site_not_found']);
    for (const body of [
      { expiresIn: 59 },
      { expiresIn: 604_801 },
      { path: 'x' },
      { path: '//evil' },
      { path: '/a\nb' },
    ])
      expect(outcome(await preview(desk, id, body))).toEqual([422, 'validation_failed']);
  });
});

describe('Delivery with a preview token', () => {
  verifies('publication/preview-tokens');

  it('shows the draft to any bearer and forbids storing and indexing', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Live' });
    await publish(app(), desk.project, id);
    await change(desk, id, { fields: { title: 'Draft' } });
    const { token } = await link(desk, id);
    const { status, body, headers } = await read(desk, id, `previewToken=${token}`);
    expect([status, body.data.fields.title]).toEqual([200, 'Draft']);
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers['x-robots-tag']).toBe('noindex');
    const without = await read(desk, id, '');
    expect([without.body.data.fields.title, without.headers['x-robots-tag']]).toEqual(['Live', undefined]);
  });

  it('shows the pinned version', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One', code: 'A' });
    await change(desk, id, { fields: { title: 'Two', code: 'B' } });
    await change(desk, id, { fields: { title: 'Three' } });
    const shown = async (versionNum: number) => {
      const { token } = await link(desk, id, { versionNum });
      return (await read(desk, id, `previewToken=${token}`)).body.data.fields as object;
    };
    expect(await shown(1)).toMatchObject({ title: 'One', code: 'A' });
    expect(await shown(2)).toMatchObject({ title: 'Two', code: 'B' });
  });

  it('omits values of a pinned version that its fields no longer accept', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'One', code: 'A' });
    await change(desk, id, { fields: { code: null } });
    await desk.delete('/content-types/article/fields/code?force=true');
    await desk.post('/content-types/article/fields', { apiName: 'code', type: 'richText' });
    const { token } = await link(desk, id, { versionNum: 1 });
    const { status, body } = await read(desk, id, `previewToken=${token}`);
    expect([status, body.data.fields.title, body.data.fields.code]).toEqual([200, 'One', null]);
  });

  it('expands references to drafts like preview keys', async () => {
    const desk = await openDesk(app());
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    const { id } = await article(desk, { title: 'One', author: { _ref: author.id } });
    const { token } = await link(desk, id);
    const { body } = await read(desk, id, `previewToken=${token}&include=1`);
    expect(body.data.fields.author.fields).toEqual({ name: 'Ada' });
  });

  it('accepts a token only for its locale, entry, site and project', async () => {
    const desk = await openDesk(app());
    const stranger = await openDesk(app());
    const siteId = await otherSite(desk);
    const [{ id }, other, elsewhere, foreign] = [
      await article(desk, { title: 'One' }),
      await article(desk, { title: 'Two' }),
      await article(desk, { title: 'Three' }, { siteId }),
      await article(stranger, { title: 'Four' }),
    ];
    await publish(app(), desk.project, other.id);
    await change(desk, id, { locale: 'de', fields: { title: 'Eins' } });
    const { token } = await link(desk, id, { locale: 'de' });
    const query = `previewToken=${token}`;
    expect((await read(desk, id, query)).body.data).toMatchObject({
      _locale: 'de',
      fields: { title: 'Eins' },
    });
    expect((await read(desk, id, `${query}&locale=de`)).status).toBe(200);
    const refused = [
      await read(desk, id, `${query}&locale=en`),
      await read(desk, other.id, query),
      await read(desk, elsewhere.id, query),
      await read(desk, 'nothing', query),
      await read(stranger, foreign.id, query),
      await read(stranger, id, query),
    ];
    for (const response of refused) expect(outcome(response)).toEqual([403, 'invalid_preview_token']);
    const otherPath = desk.project.delivery.replace(/main$/, 'other');
    expect(outcome(await read(desk, id, query, otherPath))).toEqual([404, 'entry_not_found']);
    const list = await send(app(), {
      method: 'GET',
      path: `${desk.project.delivery}/content/article?${query}`,
    });
    expect(list.body.data.map(({ _id }: { _id: string }) => _id)).toEqual([other.id]);
  });

  it('returns 403 for an invalid or expired token instead of the published document', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await publish(app(), desk.project, id);
    const [project] = await app().rows<{ environment: string }>(
      desk.project.tenantId,
      'SELECT environment_id AS environment FROM environment_heads WHERE project_id = $1',
      [desk.project.projectId],
    );
    const expired = await new PreviewTokens([previewSecretFrom(testSecret)]).issue({
      projectId: desk.project.projectId,
      environmentId: project?.environment ?? '',
      entryId: id,
      locale: 'en',
      expiresAt: new Date(Math.floor(Date.now() / 1000) * 1000 - 1000),
      tokenId: 'x',
    });
    for (const token of ['', 'x', 'e30.e30.x', expired, 'a'.repeat(5000)]) {
      const response = await read(desk, id, `previewToken=${token}`);
      expect(outcome(response)).toEqual([403, 'invalid_preview_token']);
      expect(response.headers['cache-control']).toBe('no-store');
    }
  });

  it('returns nothing for a deleted entry', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    const [{ token }, pinned] = [await link(desk, id), await link(desk, id, { versionNum: 1 })];
    await desk.delete(`/entries/${id}`);
    for (const each of [token, pinned.token])
      expect(outcome(await read(desk, id, `previewToken=${each}`))).toEqual([404, 'entry_not_found']);
  });
});

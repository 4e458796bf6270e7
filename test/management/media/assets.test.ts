import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { createProject, unique, type TestProject } from '../../support/factories/project.js';
import { png, textFile, uploadAsset, type TestAsset } from '../../support/factories/media.js';
import { verifies } from '../../support/verifies.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let project: TestProject;

beforeAll(async () => {
  project = await createProject(app(), { locales: ['en', { code: 'de', fallbackCode: 'en' }, 'fr'] });
});

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  send(app(), { method, path: `${project.management}${path}`, key: project.keys.management, body });
const read = (id: string, query = '') => call('GET', `/media/${id}${query}`);

describe('Uploading', () => {
  verifies('media/upload');

  it('streams a multipart form whose last part is the file', async () => {
    const picture = png(5, 4);
    const response = await app()
      .request.post(`${project.management}/media/upload`)
      .set('Authorization', `Bearer ${project.keys.management}`)
      .field('altText', 'A red square')
      .field('tags', 'one,two')
      .field('tags', 'three')
      .field('focalPoint', '{"x":0.25,"y":0.75}')
      .attach('file', picture, { filename: 'square.png', contentType: 'image/png' });
    expect([response.status, response.body]).toMatchObject([
      201,
      {
        data: {
          fileName: 'square.png',
          mimeType: 'image/png',
          width: 5,
          height: 4,
          altText: 'A red square',
          tags: ['one', 'two', 'three'],
          focalPoint: { x: 0.25, y: 0.75 },
          visibility: 'public',
          version: 1,
          usageCount: 0,
          scanStatus: 'skipped',
        },
      },
    ]);
    expect(response.headers.location).toBe(
      `${project.management}/media/${(response.body as { data: TestAsset }).data.id}`,
    );
  });

  it('returns the existing asset for a file that the project has', async () => {
    const file = textFile();
    const first = await uploadAsset(app(), project, { file });
    const again = await call('POST', '/media/upload', { file: { ...file, fileName: 'other.txt' } });
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({
      data: { id: first.id, fileName: first.fileName },
      meta: { duplicate: true },
    });
  });

  it('keeps a private copy of a public file apart', async () => {
    const file = textFile();
    const first = await uploadAsset(app(), project, { file });
    const hidden = await uploadAsset(app(), project, { file, visibility: 'private' });
    expect(hidden.id).not.toBe(first.id);
    expect(hidden.storageKey).toBe(first.storageKey);
  });

  it('creates one asset for simultaneous uploads of one file', async () => {
    const file = textFile();
    const made = await Promise.all([1, 2, 3, 4].map(() => uploadAsset(app(), project, { file })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  });

  const upload = () =>
    app()
      .request.post(`${project.management}/media/upload`)
      .set('Authorization', `Bearer ${project.keys.management}`);
  const total = async (): Promise<number> => (await call('GET', '/media')).body.meta.total as number;

  it('rejects a part after the file and registers nothing', async () => {
    const before = await total();
    const response = await upload().attach('file', png(), 'a.png').field('altText', 'late');
    expect([response.status, response.body.details]).toMatchObject([
      422,
      { issues: [{ path: ['altText'] }] },
    ]);
    expect(await total()).toBe(before);
  });

  it('rejects unknown parts, missing files and bad values', async () => {
    const unknown = await upload().field('colour', 'red').attach('file', png(), 'a.png');
    const missing = await upload().field('altText', 'none');
    const wrong = await upload().field('focalPoint', '{"x":2,"y":0}').attach('file', png(), 'a.png');
    expect([unknown, missing, wrong].map(({ status }) => status)).toEqual([422, 422, 422]);
  });

  it('rejects bodies without a boundary and with too many parts', async () => {
    const unbounded = await upload().set('Content-Type', 'multipart/form-data').send('x');
    let many = upload();
    for (let part = 0; part < 250; part += 1) many = many.field('tags', String(part));
    expect([unbounded.status, (await many).status]).toEqual([400, 400]);
  });

  it('responds with 404 to folders and sites that do not exist', async () => {
    const missing = '0198c0de-0000-7000-8000-000000000000';
    const folder = await call('POST', '/media/upload', { file: textFile(), folderId: missing });
    const site = await call('POST', '/media/upload', { file: textFile(), siteIds: [missing] });
    const locale = await call('POST', '/media/upload', { file: textFile(), locale: 'tlh' });
    expect([folder, site, locale].map(({ body }) => (body as { error: string }).error)).toEqual([
      'media_folder_not_found',
      'site_not_found',
      'locale_not_found',
    ]);
  });
});

describe('Changing an asset', () => {
  verifies('media/assets', 'media/default-locale-values');

  it('updates properties and the default overlay, and raises the version', async () => {
    const { id } = await uploadAsset(app(), project);
    const response = await call('PUT', `/media/${id}`, {
      fileName: 'harbour',
      tags: ['b', 'a', 'b'],
      altText: 'A harbour',
      focalPoint: { x: 0, y: 1 },
    });
    expect(response.body.data).toMatchObject({
      fileName: 'harbour.png',
      tags: ['b', 'a'],
      altText: 'A harbour',
      focalPoint: { x: 0, y: 1 },
      version: 2,
    });
    expect((await read(id)).body.data).toEqual(response.body.data);
  });

  it('changes nothing for equal values', async () => {
    const { id } = await uploadAsset(app(), project, { tags: ['same'] });
    const response = await call('PUT', `/media/${id}`, { tags: ['same'] });
    expect([response.status, response.body.data.version]).toEqual([200, 1]);
  });

  it('fails with 409 for a stale version, and with 412 for a stale If-Match', async () => {
    const { id } = await uploadAsset(app(), project);
    await call('PUT', `/media/${id}`, { tags: [unique()] });
    const stale = await call('PUT', `/media/${id}`, { tags: ['x'], version: 1 });
    const unmatched = await app()
      .request.put(`${project.management}/media/${id}`)
      .set('Authorization', `Bearer ${project.keys.management}`)
      .set('If-Match', '"1"')
      .send({ tags: ['x'] });
    expect([stale.status, stale.body.error]).toEqual([409, 'version_conflict']);
    expect(unmatched.status).toBe(412);
  });

  it('refuses names with slashes and invisible characters', async () => {
    const { id } = await uploadAsset(app(), project);
    const signs = [
      'a"b',
      'a<c',
      'a:?',
      'a|b',
      'a*b',
      'a\\b',
      'a\u200bb',
      'a\ufeffb',
      'a\u0007b',
      'a  b',
      'a. ',
      ' ',
    ];
    for (const fileName of ['../a.png', 'a\u202egnp.exe', '.png', 'CON', 'lpt1.x.png', 'nul.png', ...signs])
      expect((await call('PUT', `/media/${id}`, { fileName })).status).toBe(422);
  });

  it('deletes an asset', async () => {
    const { id } = await uploadAsset(app(), project);
    expect((await call('DELETE', `/media/${id}`)).body).toEqual({ data: { id, deleted: true } });
    expect((await read(id)).status).toBe(404);
  });
});

describe('Overlays', () => {
  verifies('media/overlay-write', 'media/overlays', 'media/overlay-lengths', 'media/overlay-fallback');

  const put = (id: string, locale: string, body: unknown) =>
    call('PUT', `/media/${id}/locales/${locale}`, body);

  it('creates the overlay on its first write, leaves omitted values and clears null', async () => {
    const { id } = await uploadAsset(app(), project);
    const first = await put(id, 'de', { altText: 'Ein Hafen', title: 'Hafen' });
    expect(first.status).toBe(200);
    expect(first.body.data).toMatchObject({
      assetId: id,
      locale: 'de',
      altText: 'Ein Hafen',
      title: 'Hafen',
      description: null,
    });
    const second = await put(id, 'de', { title: null, description: 'Am Abend' });
    expect(second.body.data).toMatchObject({ altText: 'Ein Hafen', title: null, description: 'Am Abend' });
    expect((await call('GET', `/media/${id}/locales`)).body.data).toEqual([second.body.data]);
  });

  it('responds with 422 no_update_fields to an empty body, before it looks for the asset', async () => {
    const missing = '0198c0de-0000-7000-8000-000000000000';
    const { id } = await uploadAsset(app(), project);
    for (const target of [id, missing])
      expect((await put(target, 'de', {})).body).toMatchObject({ error: 'no_update_fields' });
    expect((await put(id, 'tlh', { altText: 'x' })).body).toMatchObject({ error: 'locale_not_found' });
    expect((await put(id, 'tlh', { altText: 'x' })).status).toBe(404);
    expect((await put(missing, 'de', { altText: 'x' })).body).toMatchObject({ error: 'media_not_found' });
  });

  it('accepts values up to their limits and rejects longer ones', async () => {
    const { id } = await uploadAsset(app(), project);
    for (const [key, limit] of [
      ['altText', 2000],
      ['title', 500],
      ['description', 5000],
    ] as const) {
      expect((await put(id, 'de', { [key]: 'x'.repeat(limit) })).status).toBe(200);
      expect((await put(id, 'de', { [key]: 'x'.repeat(limit + 1) })).status).toBe(422);
    }
  });

  it('falls back value by value along the chain of the locale', async () => {
    const { id } = await uploadAsset(app(), project, { altText: 'A harbour', title: 'Harbour' });
    await put(id, 'de', { altText: 'Ein Hafen' });
    expect((await read(id, '?locale=de')).body.data).toMatchObject({
      locale: 'de',
      altText: 'Ein Hafen',
      title: 'Harbour',
    });
    expect((await read(id)).body.data).toMatchObject({ altText: 'A harbour' });
  });

  it('shows the file of another asset of the project, by id or storage key', async () => {
    const [asset, other] = [await uploadAsset(app(), project), await uploadAsset(app(), project)];
    for (const overrideStorageKey of [`asset:${other.id}`, other.storageKey])
      expect((await put(asset.id, 'de', { overrideStorageKey })).body.data).toMatchObject({
        overrideStorageKey,
      });
    expect((await read(other.id)).body.data).toMatchObject({ usageCount: 1 });
    expect((await call('DELETE', `/media/${other.id}`)).body).toMatchObject({ error: 'media_in_use' });
    await put(asset.id, 'de', { overrideStorageKey: null });
    expect((await call('DELETE', `/media/${other.id}`)).status).toBe(200);
  });

  it('rejects files of other tenants, missing files and its own file', async () => {
    const asset = await uploadAsset(app(), project);
    const foreign = await uploadAsset(app(), await createProject(app()));
    const keys = [
      `asset:${foreign.id}`,
      foreign.storageKey,
      `asset:${asset.id}`,
      'asset:x',
      '../../etc/passwd',
    ];
    for (const overrideStorageKey of keys)
      expect((await put(asset.id, 'de', { overrideStorageKey })).status).toBe(422);
  });
});

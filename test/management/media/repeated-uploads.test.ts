import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { createProject, unique, type TestProject } from '../../support/factories/project.js';
import { textFile, uploadAsset, type TestAsset } from '../../support/factories/media.js';
import { verifies } from '../../support/verifies.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let project: TestProject;

beforeAll(async () => {
  project = await createProject(app());
});

const call = (method: 'POST', path: string, body: unknown) =>
  send(app(), { method, path: `${project.management}${path}`, key: project.keys.management, body });

describe('An upload', () => {
  verifies('media/upload', 'media/upload-duplicates');

  it('names what was not applied to the existing asset, and creates another one on request', async () => {
    const file = textFile();
    const first = await uploadAsset(app(), project, { file, altText: 'One', tags: ['a', 'b'] });
    const same = await call('POST', '/media/upload', { file, altText: 'One', tags: ['b', 'a'], title: null });
    expect([same.status, same.body.meta]).toEqual([200, { duplicate: true }]);
    const other = await call('POST', '/media/upload', { file, altText: 'Two', tags: ['c'], title: 'New' });
    const { warnings } = (other.body as { meta: { warnings: { code: string; path: string[] }[] } }).meta;
    expect(warnings.map(({ code, path }) => [code, ...path])).toEqual([
      ['not_applied', 'altText'],
      ['not_applied', 'title'],
      ['not_applied', 'tags'],
    ]);
    expect(other.body.data).toMatchObject({ id: first.id, altText: 'One', tags: ['a', 'b'], version: 1 });
    const created = await call('POST', '/media/upload?duplicate=create', { file, altText: 'Two' });
    expect([created.status, created.body]).toMatchObject([201, { data: { altText: 'Two' } }]);
    expect((created.body as { data: TestAsset }).data.id).not.toBe(first.id);
    const byForm = await app()
      .request.post(`${project.management}/media/upload?duplicate=create`)
      .set('Authorization', `Bearer ${project.keys.management}`)
      .attach('file', Buffer.from(file.content, 'base64'), file.fileName);
    expect(byForm.status).toBe(201);
    const unknown = await call('POST', '/media/upload?duplicate=twice', { file });
    expect(unknown.status).toBe(422);
  });

  it.each([
    ['["red", "blue"]', ['red', 'blue']],
    ['[]', []],
    ['red,blue', ['red', 'blue']],
    ['[draft],blue', ['[draft]', 'blue']],
  ])('reads the part tags %s', async (tags, expected) => {
    const response = await app()
      .request.post(`${project.management}/media/upload`)
      .set('Authorization', `Bearer ${project.keys.management}`)
      .field('tags', tags)
      .attach('file', Buffer.from(unique()), `${unique()}.txt`);
    expect([response.status, response.body]).toMatchObject([201, { data: { tags: expected } }]);
  });

  it('refuses a part with malformed JSON', async () => {
    const response = await app()
      .request.post(`${project.management}/media/upload`)
      .set('Authorization', `Bearer ${project.keys.management}`)
      .field('tags', '["red", ')
      .attach('file', Buffer.from(unique()), `${unique()}.txt`);
    expect(response.status).toBe(400);
  });
});

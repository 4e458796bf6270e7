import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { isObserved } from '../../contracts/primitives.js';
import { must, send } from '../support/call.js';
import { issues, openDesk, outcome, useOwnApp } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';
import { createLivePage, createPageType } from '../support/factories/tree.js';
import { openScene, type Scene } from '../support/scene.js';
import { exampleOf, restCall, restOperations, rightKey } from '../support/operations.js';
import { verifies } from '../support/verifies.js';

const app = useOwnApp();
let scene: Scene;

beforeAll(async () => {
  scene = await openScene(app());
});

const reads = new Map(
  restOperations.filter(({ rest }) => rest.method === 'GET').map((one) => [one.rest.path, one.operation]),
);

/** Updates of what GET of the same path returns. */
const updates = restOperations.flatMap(({ name, operation, rest }) => {
  const read = reads.get(rest.path);
  const data: unknown = read?.output instanceof z.ZodObject ? read.output.shape.data : undefined;
  return rest.method === 'PUT' && data instanceof z.ZodObject ? [{ name, operation, rest, data }] : [];
});

it('covers every PUT but those of files and of what only a list shows', () => {
  const missing = restOperations.filter(
    ({ name, rest }) => rest.method === 'PUT' && !updates.some((update) => update.name === name),
  );
  expect(missing.map(({ name }) => name)).toEqual([
    'media.replace',
    'media.putLocale',
    'ipAllowlist.set',
    'translations.update',
    'me.setAvatar',
  ]);
});

/** Every key of what they return can be changed. */
const allWritable: ReadonlySet<string> = new Set(['notifications.updateSettings', 'search.setSettings']);

describe.each(updates)('$name with the body that GET returns', ({ operation, rest, data }) => {
  verifies('http/input-read-modify-write');

  const target = async () => {
    const { path, body } = restCall(rest, await exampleOf(operation)(scene));
    const key = await rightKey(scene, operation);
    const current = await must<Record<string, unknown>>(app(), { method: 'GET', path, key });
    return { path, key, current, changes: body as Record<string, unknown> };
  };
  const readOnly = Object.keys(data.shape).filter(
    (name) => !(name in operation.input.shape) || rest.path.includes(`{${name}}`),
  );

  it('is accepted, unchanged and with a change', async () => {
    const { path, key, current, changes } = await target();
    const same = await send(app(), { method: 'PUT', path, key, body: current });
    expect([same.status, same.text]).toEqual([200, expect.any(String)]);
    expect(same.body.data).toEqual(current);
    const changed = await send(app(), { method: 'PUT', path, key, body: { ...current, ...changes } });
    expect([changed.status, changed.text]).toEqual([200, expect.any(String)]);
  });

  it('is accepted for each of its lists and objects alone', async () => {
    const { path, key, current } = await target();
    const { version } = current;
    for (const [name, value] of Object.entries(current)) {
      if (typeof value !== 'object' || value === null || readOnly.includes(name)) continue;
      const body = { [name]: value, ...(version !== undefined && { version }) };
      const answer = await send(app(), { method: 'PUT', path, key, body });
      expect([name, answer.status, answer.text]).toEqual([name, 200, expect.any(String)]);
      expect(answer.body.data).toEqual(current);
    }
  });

  it('is rejected for each key that it changes and cannot change', async () => {
    const { path, key, current } = await target();
    if (allWritable.has(operation.name)) {
      expect(readOnly).toEqual([]);
      return;
    }
    expect(readOnly).not.toEqual([]);
    const forged = readOnly.filter((name) => !isObserved(data.shape[name] as z.ZodType));
    const body = { ...current, ...Object.fromEntries(readOnly.map((name) => [name, 'forged'])) };
    const answer = await send(app(), { method: 'PUT', path, key, body });
    expect(outcome(answer)).toEqual([422, 'read_only']);
    expect(issues(answer).sort()).toEqual(forged.map((name) => [name, 'read_only']).sort());
    expect(await must(app(), { method: 'GET', path, key })).toEqual(current);
  });
});

describe('A body that was read before', () => {
  verifies('http/input-read-modify-write');

  it('is a version conflict when its version is outdated', async () => {
    const desk = await openDesk(app());
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'One' },
    });
    const { data } = (await desk.get(`/entries/${id}`)).body;
    await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Two' } });
    expect(outcome(await desk.put(`/entries/${id}`, { ...data, fields: { title: 'Three' } }))).toEqual([
      409,
      'version_conflict',
    ]);
  });

  it('is accepted unchanged with keys that are no part of the resource', async () => {
    const desk = await openDesk(app());
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'One' },
    });
    const { data } = (await desk.get(`/entries/${id}`)).body;
    const { status, body } = await desk.put(`/entries/${id}`, { ...data, comment: 'Nothing new.' });
    expect([status, body.data]).toEqual([200, data]);
  });

  it('is compared in the locale that it names', async () => {
    const desk = await openDesk(app());
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'One' },
    });
    await publish(app(), desk.project, id);
    await desk.put(`/entries/${id}`, { version: 1, locale: 'de', fields: { title: 'Eins' } });
    const { data } = (await desk.get(`/entries/${id}?locale=de`)).body;
    const { status, body } = await desk.put(`/entries/${id}`, { ...data, fields: { title: 'Zwei' } });
    expect([status, body.data?.locale, body.data?.fields]).toEqual([200, 'de', { title: 'Zwei' }]);
  });

  it('leaves an entry where it is in the tree, or outside', async () => {
    const desk = await openDesk(app());
    await createPageType(app(), desk.project);
    const outside = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'One' },
    });
    const page = await createLivePage(app(), desk.project, { slug: 'a' });
    for (const { id } of [outside, page]) {
      const { data } = (await desk.get(`/entries/${id}`)).body;
      const { body } = await desk.put(`/entries/${id}`, { ...data, fields: { title: 'New' } });
      const { treeNodeId, treeParentId } = data as Record<string, unknown>;
      expect(body.data).toMatchObject({ version: 2, treeNodeId, treeParentId });
    }
  });

  it('keeps the name of a page that of its entry', async () => {
    const desk = await openDesk(app());
    await createPageType(app(), desk.project);
    const { id, treeNodeId } = await createLivePage(app(), desk.project, { slug: 'a' });
    const path = `/tree/nodes/${String(treeNodeId)}`;
    const { data } = (await desk.get(path)).body;
    expect((await desk.put(path, { ...data, hideInMenu: true })).body.data.hideInMenu).toBe(true);
    await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Renamed' } });
    expect((await desk.get(path)).body.data.name).toBe('Renamed');
  });

  it('may have outdated counts and times of use', async () => {
    const desk = await openDesk(app());
    const made = await desk.post('/redirects', { siteId: desk.project.siteId, source: '/a', target: '/b' });
    const { data } = made.body;
    const body = { ...data, hitCount: 7, lastHitAt: '2026-01-01T00:00:00.000Z', note: 'New' };
    const { status, body: answer } = await desk.put(`/redirects/${data.id as string}`, body);
    expect([status, answer.data?.note, answer.data?.hitCount]).toEqual([200, 'New', 0]);
  });

  it('needs the permission to read the resource', async () => {
    const desk = await openDesk(app());
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'One' },
    });
    const { data } = (await desk.get(`/entries/${id}`)).body;
    const { secret } = await desk.newKey({ type: 'management', permissions: ['update'] });
    const writer = desk.as(secret);
    expect(outcome(await writer.put(`/entries/${id}`, data))).toEqual([403, 'permission_denied']);
    expect((await writer.put(`/entries/${id}`, { version: 1, fields: { title: 'Two' } })).status).toBe(200);
  });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import { must } from '../../support/call.js';
import { useApp } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { createProject, type TestProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { createLive, createNodeType, readerOf, type Reader } from '../reader.js';

const app = useApp();
let project: TestProject;
let read: Reader;

interface Node {
  _id?: string;
  _ref?: string;
  _type: string;
  fields: { title: string; next: Node | null; others: Node[]; parts: Node[] };
}

beforeAll(async () => {
  project = await createProject(app());
  read = readerOf(app(), project);
  await createNodeType(app(), project);
});

const link = (id: string) => ({ _ref: id, _type: 'node' });
const live = async (title: string, fields: Record<string, unknown> = {}): Promise<string> =>
  (await createLive(app(), project, { contentTypeApiName: 'node', fields: { title, ...fields } })).id;

async function change(id: string, fields: Record<string, unknown>): Promise<void> {
  const path = `${project.management}/entries/${id}`;
  await must(app(), { method: 'PUT', path, key: project.keys.management, body: { version: 1, fields } });
  await publish(app(), project, id);
}

const get = async (id: string, include: number): Promise<Node> =>
  (await read(`/entries/${id}?include=${include}`)).body.data as Node;

/** A chain of nodes, the first first. */
async function chain(length: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = length; index > 0; index -= 1) {
    const [next] = ids;
    ids.unshift(await live(`Node ${index}`, next === undefined ? {} : { next: { _ref: next } }));
  }
  return ids;
}

describe('include', () => {
  verifies('spec-4.1-include', 'spec-2.1-links');

  it('is 0 unless it is given: references are links and nothing else', async () => {
    const [first = '', second = ''] = await chain(2);
    const unsaid = (await read(`/entries/${first}`)).body.data as Node;
    expect(unsaid.fields.next).toStrictEqual(link(second));
    expect(await get(first, 0)).toEqual(unsaid);
  });

  it.each([1, 2, 3])('inlines %i hops as whole entries and leaves links beyond', async (include) => {
    const ids = await chain(5);
    let node: Node | null = await get(ids[0] ?? '', include);
    for (let hop = 1; hop <= include; hop += 1) {
      node = node?.fields.next ?? null;
      const whole = (await read(`/entries/${ids[hop] ?? ''}`)).body.data as Node;
      expect({ ...node, fields: { ...node?.fields, next: null } }).toEqual({
        ...whole,
        fields: { ...whole.fields, next: null },
      });
    }
    expect(node?.fields.next).toStrictEqual(link(ids[include + 1] ?? ''));
  });

  it('inlines references, lists of them and blocks alike, in their order', async () => {
    const [one, two] = [await live('One'), await live('Two')];
    const id = await live('Root', {
      next: { _ref: one },
      others: [{ _ref: two }, { _ref: one }, { _ref: two }],
      parts: [{ _ref: one }, { _ref: two }],
    });
    const { fields } = await get(id, 1);
    expect(fields.next?.fields.title).toBe('One');
    expect(fields.others.map((node) => node.fields.title)).toEqual(['Two', 'One', 'Two']);
    expect(fields.parts.map((node) => node.fields.title)).toEqual(['One', 'Two']);
  });

  it('leaves a link where expansion would come back to an entry on its path', async () => {
    const first = await live('First');
    const second = await live('Second', { next: { _ref: first } });
    await change(first, { next: { _ref: second } });
    const root = await get(first, 3);
    expect(root.fields.next?.fields.title).toBe('Second');
    expect(root.fields.next?.fields.next).toStrictEqual(link(first));
  });

  it('leaves a link where an entry refers to itself', async () => {
    const id = await live('Own');
    await change(id, { next: { _ref: id }, others: [{ _ref: id }] });
    const { fields } = await get(id, 3);
    expect([fields.next, fields.others]).toStrictEqual([link(id), [link(id)]]);
  });

  it('expands an entry again on every other path', async () => {
    const shared = await live('Shared');
    const [left, right] = [
      await live('Left', { next: { _ref: shared } }),
      await live('Right', { next: { _ref: shared } }),
    ];
    const id = await live('Root', { others: [{ _ref: left }, { _ref: right }, { _ref: shared }] });
    const { fields } = await get(id, 2);
    expect(fields.others.map((node) => node.fields.next?.fields.title ?? node.fields.title)).toEqual([
      'Shared',
      'Shared',
      'Shared',
    ]);
  });

  it('goes as far along a long path as along a short one to the same entry', async () => {
    // Far is one hop away by the short way and two by the long one; its own link is within reach of the short way only.
    const [end] = [await live('End')];
    const far = await live('Far', { next: { _ref: end } });
    const between = await live('Between', { next: { _ref: far } });
    const id = await live('Root', { next: { _ref: far }, others: [{ _ref: between }] });
    const { fields } = await get(id, 2);
    expect(fields.next?.fields.next?.fields.title).toBe('End');
    expect(fields.others[0]?.fields.next?.fields.title).toBe('Far');
    expect(fields.others[0]?.fields.next?.fields.next).toStrictEqual(link(end));
  });

  it('leaves a link to what is a draft, unpublished or deleted', async () => {
    const { id: draft } = await createEntry(app(), project, { contentTypeApiName: 'node' });
    const [offline, deleted, stays] = [await live('Offline'), await live('Deleted'), await live('Stays')];
    const id = await live('Root', { others: [draft, offline, deleted, stays].map((ref) => ({ _ref: ref })) });
    const { management, keys } = project;
    const key = keys.management;
    await must(app(), { method: 'POST', path: `${management}/entries/${offline}/unpublish`, key, body: {} });
    await must(app(), { method: 'DELETE', path: `${management}/entries/${deleted}`, key });
    const { others } = (await get(id, 1)).fields;
    expect(others.slice(0, 3)).toStrictEqual([draft, offline, deleted].map(link));
    expect(others[3]?.fields.title).toBe('Stays');
  });

  it('reads linked entries in the locale of the request, or its fallbacks', async () => {
    const translated = await live('Only English');
    const path = `${project.management}/entries/${translated}`;
    const body = { version: 1, locale: 'de', fields: { title: 'Deutsch' } };
    await must(app(), { method: 'PUT', path, key: project.keys.management, body });
    await publish(app(), project, translated, 'de');
    const other = await live('No German');
    const { id } = await createLive(app(), project, {
      contentTypeApiName: 'node',
      locale: 'de',
      fields: { title: 'Wurzel', others: [{ _ref: translated }, { _ref: other }] },
    });
    const { fields } = (await read(`/entries/${id}?include=1&locale=de`)).body.data as Node;
    expect(fields.others[0]).toMatchObject({ _locale: 'de', fields: { title: 'Deutsch' } });
    expect(fields.others[1]).toStrictEqual(link(other));
  });

  it('expands a reference to an entry of another site', async () => {
    const { management, keys } = project;
    const body = { slug: 'elsewhere', name: 'Elsewhere' };
    const site = await must(app(), {
      method: 'POST',
      path: `${management}/sites`,
      key: keys.management,
      body,
    });
    const far = await createLive(app(), project, {
      contentTypeApiName: 'node',
      siteId: site.id,
      fields: { title: 'Far away' },
    });
    const id = await live('Root', { next: { _ref: far.id } });
    expect((await get(id, 1)).fields.next).toMatchObject({ _siteId: site.id, fields: { title: 'Far away' } });
  });
});

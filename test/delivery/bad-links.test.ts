import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, useApp, type Desk } from '../support/desk.js';
import { createEntry, publish, type TestEntry } from '../support/factories/content.js';
import { verifies } from '../support/verifies.js';

const app = useApp();

const article = (desk: Desk, title: string, related: readonly string[] = []): Promise<TestEntry> =>
  createEntry(app(), desk.project, {
    contentTypeApiName: 'article',
    fields: { title, related: related.map((_ref) => ({ _ref })) },
  });
const live = async (desk: Desk, title: string, related: readonly string[] = []): Promise<string> => {
  const { id } = await article(desk, title, related);
  await publish(app(), desk.project, id);
  return id;
};
async function read(desk: Desk, id: string, key?: string) {
  const request = app().request.get(`${desk.project.delivery}/entries/${id}?include=3`);
  const { status, body } = await (key === undefined
    ? request
    : request.set('authorization', `Bearer ${key}`));
  return { status, related: body.data.fields.related };
}
/** An expanded reference. */
interface Inlined {
  readonly fields: { readonly related: Inlined[] };
}
const link = (id: string) => ({ _ref: id, _type: 'article' });

describe('At include=3', () => {
  verifies('delivery/include', 'content/values-missing-links');

  it('keeps a link to a deleted or unpublished entry as a link, several hops away as well', async () => {
    const desk = await openDesk(app());
    const [gone, offline] = [await live(desk, 'Gone'), await live(desk, 'Offline')];
    const middle = await live(desk, 'Middle', [gone, offline]);
    const top = await live(desk, 'Top', [middle, gone]);
    await desk.post(`/entries/${offline}/unpublish`, {});
    await desk.delete(`/entries/${gone}`);
    const { status, related } = await read(desk, top);
    expect(status).toBe(200);
    expect(related[0]).toMatchObject({ _id: middle, fields: { related: [link(gone), link(offline)] } });
    expect(related[1]).toEqual(link(gone));
  });

  it('ends a reference cycle of any length with a link', async () => {
    const desk = await openDesk(app());
    for (const length of [1, 2, 3]) {
      const ids: string[] = [];
      for (let at = 0; at < length; at += 1) ids.push((await article(desk, `${length} ${at}`)).id);
      for (const [at, id] of ids.entries()) {
        const fields = { related: [{ _ref: ids[(at + 1) % length] }] };
        expect((await desk.put(`/entries/${id}`, { version: 1, fields })).status).toBe(200);
        expect((await desk.post(`/entries/${id}/publish`, {})).status).toBe(200);
      }
      let [node] = (await read(desk, ids[0] ?? '')).related as Inlined[];
      for (let hop = 1; hop < length; hop += 1) node = node?.fields.related[0];
      expect(node).toEqual(link(ids[0] ?? ''));
    }
  });

  it('never exposes an entry of another tenant: a draft can name it, previews show a link, publish fails', async () => {
    const [desk, other] = [await openDesk(app()), await openDesk(app())];
    const theirs = await live(other, 'Theirs');
    const { id } = await article(desk, 'Mine', [theirs]);
    const { related } = await read(desk, id, desk.project.keys.preview);
    expect(related).toEqual([expect.objectContaining({ _ref: theirs })]);
    expect(issues(await desk.post(`/entries/${id}/publish`, {}))).toEqual([
      ['fields.related', 'broken_reference'],
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { column, openDesk, outcome, useApp } from '../../support/desk.js';
import { createEntry, createType, publish } from '../../support/factories/content.js';
import { uploadAsset } from '../../support/factories/media.js';
import {
  blockId,
  blocksIn,
  createLeafletTypes,
  leaflet,
  section,
} from '../../support/factories/own-blocks.js';
import { verifies } from '../../support/verifies.js';
import { article, change } from './history.js';

const app = useApp();

describe('GET references', () => {
  verifies('entries/further-operations', 'entries/references');

  it('lists referrers with entry, field, locale, title and status', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, {
      apiName: 'story',
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'author', type: 'reference', localized: true },
      ],
    });
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    const link = { _ref: author.id };
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'story',
      fields: { title: 'Lock', author: link },
    });
    await change(desk, id, { locale: 'de', fields: { title: 'Schleuse', author: link } });
    await publish(app(), desk.project, author.id);
    await publish(app(), desk.project, id, 'de');
    const { status, body } = await desk.get(`/entries/${author.id}/references`);
    expect(status).toBe(200);
    const common = {
      entryId: id,
      contentTypeApiName: 'story',
      fieldApiName: 'author',
      blocks: [],
      siteId: desk.project.siteId,
    };
    expect(body).toEqual({
      data: [
        { ...common, locale: 'de', title: 'Schleuse', status: 'published' },
        { ...common, locale: 'en', title: 'Lock', status: 'draft' },
      ],
      meta: { total: 2, page: 1, limit: 25, pages: 1 },
    });
  });

  it('names the blocks whose field references the entry', async () => {
    const desk = await openDesk(app());
    await createLeafletTypes(desk);
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    const by = section({ author: { _ref: author.id } });
    const made = await leaflet(desk, {
      title: 'Rivers',
      sections: [by, section({ title: 'Weir' }), by],
      notes: [section({ title: 'Ferry' })],
    });
    const [one, , three] = blocksIn(made, 'sections').map(({ _ref }) => _ref);
    const { body } = await desk.get(`/entries/${author.id}/references`);
    const common = { entryId: made.id, contentTypeApiName: 'leaflet', fieldApiName: 'author', locale: null };
    expect(body.data).toMatchObject([{ ...common, blocks: [one, three].sort() }]);
    const picture = await uploadAsset(app(), desk.project);
    const note = blockId(made, 'notes');
    await change(desk, made.id, {
      fields: { notes: [{ _ref: note, fields: { picture: { _ref: picture.id } } }] },
    });
    const uses = await desk.get(`/media/${picture.id}/references`);
    const use = {
      ...common,
      fieldApiName: 'picture',
      locale: 'en',
      blocks: [note],
      inDraft: true,
      inPublished: false,
    };
    expect(uses.body.data).toMatchObject([use]);
  });

  it('returns no locale and the default locale’s title for a shared field', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, {
      apiName: 'box',
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'parts', type: 'blocks', localized: false },
      ],
    });
    const part = await article(desk, { title: 'Part' });
    await createEntry(app(), desk.project, {
      contentTypeApiName: 'box',
      fields: { title: 'Box', parts: [{ _ref: part.id }] },
    });
    const { body } = await desk.get(`/entries/${part.id}/references`);
    expect(body.data).toMatchObject([{ locale: null, title: 'Box', fieldApiName: 'parts', status: 'draft' }]);
  });

  it('pages newest entries first and omits removed links and deleted referrers', async () => {
    const desk = await openDesk(app());
    const target = await article(desk, { title: 'Target' });
    const related = [{ _ref: target.id }];
    const ids: string[] = [];
    for (const title of ['A', 'B', 'C', 'D', 'E']) ids.push((await article(desk, { title, related })).id);
    await change(desk, ids[0] ?? '', { fields: { related: [] } });
    await desk.delete(`/entries/${String(ids[4])}`);
    await change(desk, target.id, { fields: { related } });
    const page = await desk.get(`/entries/${target.id}/references?limit=2`);
    expect(column(page, 'title')).toEqual(['D', 'C']);
    expect(page.body.meta).toEqual({ total: 3, page: 1, limit: 2, pages: 2 });
    expect(column(await desk.get(`/entries/${target.id}/references?limit=2&page=2`), 'title')).toEqual(['B']);
  });

  it('returns 404 when the entry does not exist or is deleted', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk);
    await desk.delete(`/entries/${id}`);
    for (const missing of ['nothing', id])
      expect(outcome(await desk.get(`/entries/${missing}/references`))).toEqual([404, 'entry_not_found']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { expectConsistent } from '../../support/consistency.js';
import { openDesk, useOwnApp } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { createLeafletTypes, leaflet, section } from '../../support/factories/own-blocks.js';
import { verifies } from '../../support/verifies.js';

const app = useOwnApp();

describe('A blocks field of a block type that is deleted', () => {
  verifies('entries/own-blocks');

  it('takes the localized values, links and translated values of the blocks in it along', async () => {
    const desk = await openDesk(app());
    await createLeafletTypes(desk);
    const types = '/content-types/cardlet/fields';
    const by = { apiName: 'by', type: 'reference', localized: true, settings: { contentTypes: ['author'] } };
    expect((await desk.post(types, by)).status).toBe(201);
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    const card = { _type: 'cardlet', fields: { heading: 'Card', by: { _ref: author.id } } };
    const { id } = await leaflet(desk, {
      title: 'One',
      sections: [section({ title: 'Two', cards: [card] })],
    });
    await publish(app(), desk.project, author.id);
    await publish(app(), desk.project, id);
    const uses = async () => (await desk.get(`/entries/${author.id}/references`)).body.meta.total as number;
    expect(await uses()).toBe(1);
    expect((await desk.delete('/content-types/section/fields/cards?force=true')).status).toBe(200);
    expect(await uses()).toBe(0);
    const [draft] = await app().rows<{ fields: object }>(
      desk.project.tenantId,
      'SELECT fields FROM entry_locales WHERE entry_id = $1',
      [id],
    );
    expect(JSON.stringify(draft?.fields)).not.toContain('Card');
    const { body } = await desk.get(`/entries/${id}`);
    expect([body.data.status, body.data.fields.sections]).toMatchObject([
      'published',
      [{ fields: { title: 'Two' } }],
    ]);
    // Nothing has a value of the field any more.
    expect((await desk.delete(`${types}/by`)).status).toBe(200);
    await expectConsistent(app(), desk.project);
  });
});

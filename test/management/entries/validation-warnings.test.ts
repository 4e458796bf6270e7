import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, publish } from '../../support/factories/content.js';
import { openDesk, useApp, type Desk } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
});

async function warningsOf(
  id: string,
  locale = 'en',
): Promise<{ isPublishable: boolean; warnings: unknown[] }> {
  const { body } = await desk.get(`/entries/${id}/validation?locale=${locale}`);
  return (body as { data: { isPublishable: boolean; warnings: unknown[] } }).data;
}

const author = async () =>
  (await createEntry(app(), desk.project, { contentTypeApiName: 'author', fields: { name: 'Ada' } })).id;

describe('The validation of a draft', () => {
  verifies('publication/warnings-of-links');

  it('warns of each link to an entry that is not published, and stays publishable', async () => {
    const [offline, live] = [await author(), await author()];
    await publish(app(), desk.project, live);
    const related = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'Draft' },
    });
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'Linking', author: { _ref: offline }, related: [{ _ref: related.id }] },
    });
    const of = (field: string, target: string) => ({
      path: ['fields', field],
      code: 'not_published',
      message: `The entry ${target} is not published.`,
    });
    const found = await warningsOf(id);
    expect(found).toMatchObject({
      isPublishable: true,
      warnings: [of('author', offline), of('related', related.id)],
    });
    await publish(app(), desk.project, offline);
    expect((await warningsOf(id)).warnings).toEqual([of('related', related.id)]);
    await desk.put(`/entries/${id}`, { version: 1, fields: { author: { _ref: live }, related: [] } });
    expect((await warningsOf(id)).warnings).toEqual([]);
  });
});

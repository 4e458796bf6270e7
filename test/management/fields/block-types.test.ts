import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

async function openBlocks(): Promise<Desk> {
  const desk = await openDesk(app());
  const block = {
    apiName: 'quote',
    name: 'Quote',
    isBlock: true,
    fields: [{ apiName: 'text', type: 'text' }],
  };
  expect((await desk.post('/content-types', block)).status).toBe(201);
  return desk;
}

const newField = (desk: Desk, type: string, contentTypes: string[]) =>
  desk.post('/content-types/article/fields', { apiName: `${type}Field`, type, settings: { contentTypes } });

describe('The content types of a field', () => {
  verifies('content/settings-effective');

  it('are block types for a blocks field, and no block types for a reference', async () => {
    const desk = await openBlocks();
    const refused = [
      await newField(desk, 'blocks', ['quote', 'author']),
      await newField(desk, 'reference', ['author', 'quote']),
    ];
    for (const answer of refused) {
      expect(outcome(answer)).toEqual([422, 'validation_failed']);
      expect(issues(answer)).toEqual([['settings.contentTypes.1', 'content_type_not_allowed']]);
    }
    expect((await newField(desk, 'blocks', ['quote'])).status).toBe(201);
    expect((await newField(desk, 'reference', ['author'])).status).toBe(201);
  });

  it('may be the type itself if it is a block', async () => {
    const desk = await openBlocks();
    const columns = (isBlock: boolean) =>
      desk.post('/content-types', {
        apiName: 'columns',
        name: 'Columns',
        isBlock,
        fields: [{ apiName: 'parts', type: 'blocks', settings: { contentTypes: ['columns', 'quote'] } }],
      });
    const answer = await columns(false);
    expect(issues(answer)).toEqual([['fields.0.settings.contentTypes.0', 'content_type_not_allowed']]);
    expect((await columns(true)).status).toBe(201);
  });

  it('stay in a field that named them before they became blocks', async () => {
    const desk = await openBlocks();
    await newField(desk, 'reference', ['author']);
    await desk.put('/content-types/author', { isBlock: true });
    const field = '/content-types/article/fields/referenceField';
    expect((await desk.put(field, { name: 'Writer' })).status).toBe(200);
    const kept = { settings: { contentTypes: ['author', 'article'] } };
    expect((await desk.put(field, kept)).status).toBe(200);
    const answer = await desk.put(field, { settings: { contentTypes: ['author', 'quote'] } });
    expect(issues(answer)).toEqual([['settings.contentTypes.1', 'content_type_not_allowed']]);
  });
});

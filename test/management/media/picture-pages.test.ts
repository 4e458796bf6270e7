import { describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { useApp } from '../../support/desk.js';
import { createEntry, createType, publish } from '../../support/factories/content.js';
import { uploadAsset } from '../../support/factories/media.js';
import { createProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
const link = ({ id }: { id: string }) => ({ _ref: id, _type: 'MediaAsset' });

describe('A delivery page of 25 entries with 25 pictures', () => {
  verifies('media/delivery-cost');

  it('costs one more statement than without pictures, by REST and GraphQL', async () => {
    const own = await createProject(app());
    await createType(app(), own, { apiName: 'card', fields: [{ apiName: 'hero', type: 'media' }] });
    const urls: string[] = [];
    for (let n = 0; n < 25; n += 1) {
      const asset = await uploadAsset(app(), own, { altText: `Picture ${String(n)}` });
      const fields = { hero: link(asset) };
      await publish(app(), own, (await createEntry(app(), own, { contentTypeApiName: 'card', fields })).id);
      urls.unshift(asset.url);
    }
    const rest =
      (include: number, limit = 25) =>
      () =>
        send(app(), {
          method: 'GET',
          path: `${own.delivery}/content/card?limit=${String(limit)}&include=${String(include)}`,
        });
    const graphql =
      (fields: string, limit = 25) =>
      () =>
        send(app(), {
          method: 'POST',
          path: `/api/graphql/${own.slug}`,
          key: own.keys.delivery,
          body: { query: `{ cardCollection(limit: ${String(limit)}) { items { ${fields} } } }` },
        });
    const pages = [
      [rest(1, 24), rest(0), rest(1)],
      [graphql('_id hero { url }', 24), graphql('_id'), graphql('_id hero { url altText }')],
    ] as const;
    for (const [warmUp, without, withPictures] of pages) {
      await warmUp();
      const plain = await app().recordStatements(without);
      const full = await app().recordStatements(withPictures);
      expect(full.result.status).toBe(200);
      for (const url of urls) expect(full.result.text).toContain(url);
      expect(full.statements.filter((sql) => sql.includes('media_assets'))).toHaveLength(1);
      expect(full.statements.length).toBe(plain.statements.length + 1);
    }
  });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import { column, openDesk, useApp, type Desk } from '../../support/desk.js';
import { textFile, uploadAsset } from '../../support/factories/media.js';
import { unique } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
});

describe('Lists of assets', () => {
  verifies('media/filters');

  it('filters by folder, type, tag, use, missing text and name', async () => {
    const tag = unique();
    const folder = (await desk.post('/media/folders', { name: tag })).body.data as { id: string };
    const picture = await uploadAsset(app(), desk.project, {
      tags: [tag],
      folderId: folder.id,
      altText: 'x',
    });
    const bare = await uploadAsset(app(), desk.project, { tags: [tag] });
    const text = await uploadAsset(app(), desk.project, { file: textFile(), tags: [tag] });
    const list = async (query: string) => column(await desk.get(`/media?limit=100&${query}`), 'id');
    expect(await list(`tag=${tag}&orderBy=createdAt:asc`)).toEqual([picture.id, bare.id, text.id]);
    expect(await list(`folderId=${folder.id}`)).toEqual([picture.id]);
    expect(await list(`tag=${tag}&mimeType=text/`)).toEqual([text.id]);
    expect(await list(`tag=${tag}&mimeType=image/png&orderBy=createdAt:asc`)).toEqual([picture.id, bare.id]);
    expect(await list(`tag=${tag}&missingAltText=en`)).toEqual([bare.id]);
    expect(await list(`tag=${tag}&unused=false`)).toEqual([]);
    expect(await list(`orderBy=createdAt:asc&id=${text.id},${bare.id.toUpperCase()}`)).toEqual([
      bare.id,
      text.id,
    ]);
    expect(await list(`mimeType=text/&id=${bare.id}`)).toEqual([]);
    expect(await list(`sourceChecksum=${bare.sourceChecksum}`)).toEqual([bare.id]);
    expect(await list(`q=${encodeURIComponent(text.fileName.toUpperCase())}`)).toEqual([text.id]);
  });

  it.each(['', 'unused=true', 'mimeType=image/', 'mimeType=image/png', 'mimeType=image/p', 'mimeType=text'])(
    'counts as many assets as it lists with "%s"',
    async (query) => {
      const { body } = await desk.get(`/media?limit=100&${query}`);
      expect(body.meta.total).toBe(body.data.length);
      expect(body.meta.total).toBeGreaterThan(0);
    },
  );
});

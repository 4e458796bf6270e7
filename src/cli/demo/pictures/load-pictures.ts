import type { OperationsClient } from '../../client/operations-client.js';
import { demoPictures, type DemoPicture } from './demo-pictures.js';
import { drawScene } from './draw-scene.js';

const TAG = 'demo';

/** Media fields of these types show the pictures. */
export const pictureFields = ['author', 'article', 'page'].map((contentTypeApiName) => ({
  contentTypeApiName,
  apiName: 'picture',
  type: 'media' as const,
  localized: false,
  validations: { mimeTypes: ['image/*'] },
}));

async function upload(
  client: OperationsClient,
  projectSlug: string,
  { name, scene }: DemoPicture,
): Promise<string> {
  const content = Buffer.from(drawScene(scene)).toString('base64');
  const file = { fileName: `${name}.svg`, content };
  const { data } = await client.call('media', 'upload', { projectSlug, file, tags: [TAG] });
  return data.id;
}

/**
 * Uploads the pictures that are missing, with their texts.
 * @returns links to the assets, by the name of the entry
 */
export async function loadPictures(
  client: OperationsClient,
  projectSlug: string,
): Promise<ReadonlyMap<string, { readonly _ref: string; readonly _type: 'MediaAsset' }>> {
  const { data } = await client.call('media', 'list', { projectSlug, tag: [TAG], limit: 100 });
  const known = new Map(data.map(({ fileName, id }) => [fileName, id]));
  const links = new Map<string, { readonly _ref: string; readonly _type: 'MediaAsset' }>();
  for (const picture of demoPictures) {
    const id = known.get(`${picture.name}.svg`) ?? (await upload(client, projectSlug, picture));
    for (const [locale, altText] of Object.entries(picture.altText))
      await client.call('media', 'putLocale', { projectSlug, id, locale, altText });
    links.set(picture.name, { _ref: id, _type: 'MediaAsset' });
  }
  return links;
}

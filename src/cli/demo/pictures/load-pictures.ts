import { type Scene, drawScene } from './draw-scene.js';
import type { OperationsClient } from '../../client/operations-client.js';

interface DemoPicture {
  /** Name of the entry that shows it, and of its file. */
  readonly name: string;
  readonly scene: Scene;
  /** By locale; French readers see English where it is missing. */
  readonly altText: Readonly<Record<string, string>>;
}

/** Drawn by code: the demo has no files of others. */
const demoPictures: readonly DemoPicture[] = [
  {
    name: 'upper-lock',
    scene: { time: 'day', seed: 1, motifs: ['lock', 'birds'] },
    altText: {
      en: 'The closed gates of the Upper Lock, with swallows above',
      de: 'Die geschlossenen Tore der Oberen Schleuse, darüber Schwalben',
      fr: 'Les portes fermées de l’écluse d’amont, sous les hirondelles',
    },
  },
  {
    name: 'heron',
    scene: { time: 'morning', seed: 4, motifs: ['reeds', 'heron'] },
    altText: {
      en: 'A heron wades in shallow water between reeds',
      de: 'Ein Reiher steht im flachen Wasser zwischen Schilf',
      fr: 'Un héron debout dans l’eau basse, parmi les roseaux',
    },
  },
  {
    name: 'winter',
    scene: { time: 'winter', seed: 7, motifs: ['lock', 'snow'] },
    altText: { en: 'A drained lock in the snow', de: 'Eine trockengelegte Schleuse im Schnee' },
  },
  {
    name: 'winding',
    scene: { time: 'evening', seed: 3, motifs: ['bridge', 'boat'] },
    altText: { en: 'A narrowboat turns below a bridge', de: 'Ein Kanalboot wendet unter einer Brücke' },
  },
  {
    name: 'spring-walk',
    scene: { time: 'day', seed: 9, motifs: ['signpost', 'birds'] },
    altText: { en: 'A signpost beside the towpath', de: 'Ein Wegweiser am Treidelpfad' },
  },
  {
    name: 'plank',
    scene: { time: 'morning', seed: 5, motifs: ['planks'] },
    altText: { en: 'Planks beside a slipway', de: 'Planken neben einer Helling' },
  },
  {
    name: 'home',
    scene: { time: 'morning', seed: 2, motifs: ['house', 'reeds'] },
    altText: {
      en: 'The keeper’s house above the river in the morning',
      de: 'Das Haus des Schleusenwärters am Morgen über dem Fluss',
      fr: 'La maison de l’éclusier au-dessus de la rivière, le matin',
    },
  },
  {
    name: 'stories',
    scene: { time: 'evening', seed: 6, motifs: ['book'] },
    altText: { en: 'An open book before the river', de: 'Ein offenes Buch vor dem Fluss' },
  },
  {
    name: 'visiting',
    scene: { time: 'day', seed: 8, motifs: ['bridge', 'signpost'] },
    altText: { en: 'A footbridge and a signpost', de: 'Eine Fußgängerbrücke und ein Wegweiser' },
  },
  {
    name: 'workshop',
    scene: { time: 'day', seed: 11, motifs: ['house', 'planks'] },
    altText: { en: 'The workshop of the boatyard', de: 'Die Werkstatt der Bootswerft' },
  },
  {
    name: 'logbook',
    scene: { time: 'night', seed: 10, motifs: ['book', 'birds'] },
    altText: { en: 'The logbook at night', de: 'Das Logbuch bei Nacht' },
  },
  {
    name: 'maud',
    scene: { time: 'evening', seed: 12, motifs: ['lockKeeper'] },
    altText: { en: 'Maud Ferris, drawn', de: 'Maud Ferris, gezeichnet', fr: 'Maud Ferris, dessinée' },
  },
  {
    name: 'jonas',
    scene: { time: 'morning', seed: 13, motifs: ['boatbuilder'] },
    altText: { en: 'Jonas Hellweg, drawn', de: 'Jonas Hellweg, gezeichnet' },
  },
];

const TAG = 'demo';

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

import type { OperationsClient } from '../../client/operations-client.js';

/** Colours of a scene by time. */
const palettes = {
  morning: { sky: ['#fde4c8', '#f7f1e3'], hills: ['#c9d3c0', '#93a98d'], water: '#a9c3c7', light: '#f6b26b' },
  day: { sky: ['#bfe0ee', '#eef6f2'], hills: ['#b9d0a8', '#6f9566'], water: '#7fb0bd', light: '#fff3b8' },
  evening: { sky: ['#e8b4a0', '#f6d9b8'], hills: ['#9a8fa3', '#5f6484'], water: '#7c86a6', light: '#f28f5b' },
  winter: { sky: ['#cfd8e3', '#f4f7fa'], hills: ['#e6ebef', '#b9c6d1'], water: '#d9e4ea', light: '#ffffff' },
  night: { sky: ['#1d2b45', '#3d4f72'], hills: ['#2f3d55', '#1c2638'], water: '#27415c', light: '#f3efd2' },
} as const;
type Palette = (typeof palettes)[keyof typeof palettes];

const WOOD = '#5b4636';
const DARK = '#2f3a3d';

const many = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

const portrait = (coat: string, hair: string): string =>
  [
    `<path d="M380 675 C380 500 480 440 600 440 C720 440 820 500 820 675 Z" fill="${coat}"/>`,
    '<circle cx="600" cy="320" r="130" fill="#e7c2a2"/>',
    `<path d="M465 320 C455 190 540 160 600 160 C660 160 745 190 735 320 C700 250 500 250 465 320 Z" fill="${hair}"/>`,
    `<circle cx="555" cy="330" r="9" fill="${DARK}"/><circle cx="645" cy="330" r="9" fill="${DARK}"/>`,
    `<path d="M560 385 Q600 415 640 385" stroke="${DARK}" stroke-width="6" fill="none"/>`,
  ].join('');

/** What a scene shows in front of hills and water. */
const motifs = {
  lock: () =>
    [
      '<rect x="250" y="350" width="110" height="325" fill="#8d8a82"/><rect x="840" y="350" width="110" height="325" fill="#8d8a82"/>',
      `<path d="M360 380 L600 420 L600 660 L360 620 Z" fill="${WOOD}"/><path d="M840 380 L600 420 L600 660 L840 620 Z" fill="#6d5644"/>`,
      `<rect x="180" y="366" width="240" height="20" fill="${DARK}"/><rect x="780" y="366" width="240" height="20" fill="${DARK}"/>`,
    ].join(''),
  heron: () =>
    [
      `<path d="M600 470 L592 620 M640 470 L648 620" stroke="${DARK}" stroke-width="7"/>`,
      '<ellipse cx="620" cy="430" rx="90" ry="52" fill="#8e9aa6"/>',
      '<path d="M545 415 C490 380 540 320 520 260" stroke="#8e9aa6" stroke-width="24" fill="none"/>',
      `<circle cx="520" cy="252" r="24" fill="#8e9aa6"/><path d="M500 246 L410 262 L500 264 Z" fill="#d99a3d"/><circle cx="514" cy="248" r="5" fill="${DARK}"/>`,
    ].join(''),
  boat: () =>
    [
      `<path d="M300 500 L900 500 L850 570 L340 570 Z" fill="#7a2f2b"/><rect x="400" y="440" width="330" height="62" fill="#2f5d50"/>`,
      many(4, (index) => `<rect x="${425 + index * 78}" y="456" width="46" height="30" fill="#f3ead2"/>`),
      `<rect x="770" y="410" width="14" height="92" fill="${WOOD}"/>`,
    ].join(''),
  snow: () =>
    many(
      60,
      (index) =>
        `<circle cx="${(index * 197) % 1200}" cy="${(index * 89) % 640}" r="${3 + (index % 4)}" fill="#ffffff"/>`,
    ),
  reeds: () =>
    many(14, (index) => {
      const x = 40 + ((index * 83) % 1120);
      const top = 470 - (index % 5) * 18;
      return `<path d="M${x} 675 Q${x + 14} ${top + 90} ${x + 8} ${top}" stroke="#4d6a45" stroke-width="6" fill="none"/><rect x="${x + 2}" y="${top - 40}" width="13" height="52" rx="6" fill="${WOOD}"/>`;
    }),
  bridge: ({ hills }: Palette) =>
    `<path d="M120 470 Q600 200 1080 470 L1080 510 Q600 270 120 510 Z" fill="#9c8f80"/><path d="M300 500 Q600 330 900 500" stroke="${hills[1]}" stroke-width="8" fill="none"/>`,
  house: () =>
    [
      '<rect x="700" y="260" width="320" height="190" fill="#cbb18f"/><path d="M670 270 L860 150 L1050 270 Z" fill="#7a3b2e"/>',
      `<rect x="830" y="340" width="70" height="110" fill="${WOOD}"/><rect x="740" y="310" width="60" height="50" fill="#f3ead2"/><rect x="930" y="310" width="60" height="50" fill="#f3ead2"/>`,
    ].join(''),
  planks: () =>
    many(
      5,
      (index) =>
        `<rect x="260" y="${470 + index * 34}" width="680" height="24" rx="3" fill="${index % 2 === 0 ? '#a97c50' : '#94683f'}"/>`,
    ) + `<path d="M420 440 L780 600" stroke="${DARK}" stroke-width="10"/>`,
  book: () =>
    '<path d="M330 380 Q470 340 600 390 Q730 340 870 380 L870 600 Q730 560 600 610 Q470 560 330 600 Z" fill="#f7f0df"/>' +
    many(
      5,
      (index) =>
        `<rect x="380" y="${430 + index * 30}" width="180" height="6" fill="#b9ab93"/><rect x="640" y="${430 + index * 30}" width="180" height="6" fill="#b9ab93"/>`,
    ),
  birds: () =>
    many(6, (index) => {
      const [x, y] = [300 + index * 110, 110 + ((index * 53) % 90)];
      return `<path d="M${x} ${y} q18 -20 34 0 q16 -20 34 0" stroke="${DARK}" stroke-width="5" fill="none"/>`;
    }),
  signpost: () =>
    `<rect x="592" y="260" width="16" height="260" fill="${WOOD}"/><path d="M608 280 L790 280 L820 305 L790 330 L608 330 Z" fill="#f3ead2"/><path d="M592 350 L410 350 L380 375 L410 400 L592 400 Z" fill="#e3d5b5"/>`,
  lockKeeper: () => portrait('#33566b', '#8b8b8b'),
  boatbuilder: () => portrait('#6b4a2f', '#3c2a1d'),
} satisfies Readonly<Record<string, (palette: Palette) => string>>;
type Motif = keyof typeof motifs;

/** A drawing of the river. */
interface Scene {
  readonly time: keyof typeof palettes;
  /** Places of the hills; scenes with different numbers have different horizons. */
  readonly seed: number;
  readonly motifs: readonly Motif[];
}

const WIDTH = 1200;
const HEIGHT = 675;
const SHORE = 430;

function hill(seed: number, { height, fill }: { height: number; fill: string }): string {
  const points = Array.from({ length: 13 }, (_, index) => {
    const wave = Math.sin(index * 0.9 + seed) + Math.sin(index * 0.37 + seed * 2.3);
    return `${String(index * 100)} ${(SHORE - height - wave * height * 0.3).toFixed(0)}`;
  });
  return `<path d="M${points.join(' L')} L${WIDTH} ${SHORE} L0 ${SHORE} Z" fill="${fill}"/>`;
}

function ripples(seed: number, fill: string): string {
  return Array.from({ length: 9 }, (_, index) => {
    const [x, y] = [(index * 331 + seed * 97) % (WIDTH - 220), SHORE + 30 + index * 24];
    return `<rect x="${x}" y="${y}" width="${90 + (index % 4) * 40}" height="4" rx="2" fill="${fill}" fill-opacity="0.35"/>`;
  }).join('');
}

/** The SVG of a scene: always the same bytes. */
function drawScene({ time, seed, motifs: shown }: Scene): string {
  const palette = palettes[time];
  const { sky, hills, water, light } = palette;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    '<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">',
    `<stop offset="0" stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient></defs>`,
    `<rect width="${WIDTH}" height="${SHORE}" fill="url(#sky)"/>`,
    `<circle cx="${200 + ((seed * 170) % 800)}" cy="120" r="56" fill="${light}"/>`,
    hill(seed, { height: 110, fill: hills[0] }),
    hill(seed + 2, { height: 50, fill: hills[1] }),
    `<rect y="${SHORE}" width="${WIDTH}" height="${HEIGHT - SHORE}" fill="${water}"/>`,
    ripples(seed, light),
    ...shown.map((motif) => motifs[motif](palette)),
    '</svg>',
  ].join('');
}

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

import { motifs, type Motif } from './motifs.js';
import { palettes } from './palettes.js';

/** A drawing of the river. */
export interface Scene {
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
export function drawScene({ time, seed, motifs: shown }: Scene): string {
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

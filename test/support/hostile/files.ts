import sharp from 'sharp';
import { many } from './costly-values.js';

const svg = (content: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${content}</svg>`);

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' }, limitInputPixels: false });

/** Frames of one colour each. */
async function animation(format: 'gif' | 'webp'): Promise<Buffer> {
  const [side, frames] = [100, 300];
  const pixels = Buffer.alloc(side * side * 3 * frames, 1);
  for (let frame = 0; frame < frames; frame += 1)
    pixels.fill(frame % 256, frame * side * side * 3, (frame + 1) * side * side * 3);
  const raw = { width: side, height: side * frames, channels: 3, pageHeight: side } as const;
  const image = sharp(pixels, { raw });
  return (format === 'gif' ? image.gif() : image.webp()).toBuffer();
}

const pages = (count: number): Buffer =>
  Buffer.from(
    `%PDF-1.4\n${many(count)
      .map((index) => `${String(index + 3)} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n`)
      .join('')}1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[${many(count)
      .map((index) => `${String(index + 3)} 0 R`)
      .join(' ')}]/Count ${String(count)}>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF`,
  );

const MEGABYTE = 1_048_576;

/** Files at or beyond a limit of their type, by name: how to make them. */
export const hostileFiles: Readonly<Record<string, () => Buffer | Promise<Buffer>>> = {
  'deep.svg': () => svg('<g>'.repeat(100_000)),
  'at the depth limit.svg': () => svg(`${'<g>'.repeat(95)}${'</g>'.repeat(95)}`),
  'elements.svg': () => svg('<path d="M0 0h9"/>'.repeat(19_990)),
  'too many elements.svg': () => svg('<path d="M0 0h9"/>'.repeat(200_000)),
  'styles.svg': () => svg(`<style>${'.a{fill:#e30613;stroke:#fff}'.repeat(9000)}</style>`),
  'large styles.svg': () => svg(`<style>${'.a{fill:#e30613}'.repeat(22_000)}</style>`),
  'attributes.svg': () =>
    svg(
      `<g ${many(50_000)
        .map((index) => `a${String(index)}="1"`)
        .join(' ')}/>`,
    ),
  'five megabytes.svg': () => svg(`<desc>${'x'.repeat(5 * MEGABYTE - 200)}</desc>`),
  'flat.png': () => flat(7000, 7000).png().toBuffer(),
  'bomb.png': () => flat(15_000, 15_000).png().toBuffer(),
  'frames.gif': () => animation('gif'),
  'frames.webp': () => animation('webp'),
  'wide.webp': () => flat(7000, 7000).webp({ effort: 0 }).toBuffer(),
  'pages.pdf': () => pages(50_000),
  'text.txt': () => Buffer.alloc(10 * MEGABYTE, 'plain text '),
  'latin1.csv': () => Buffer.alloc(10 * MEGABYTE, Buffer.from('Größe;1\n', 'latin1')),
  'markup at the end.txt': () => Buffer.alloc(10 * MEGABYTE, '<'),
  'numbers.json': () => Buffer.from(`[${'1,'.repeat(4 * MEGABYTE)}1]`),
  'zeros.bin': () => Buffer.alloc(20 * MEGABYTE),
};

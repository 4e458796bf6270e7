import { z } from 'zod';

/** Longest side of a rendition, in pixels. */
export const RENDITION_SIDE = 4000;

const fits = ['fill', 'pad', 'scale', 'crop', 'thumb', 'cover', 'contain'] as const;
const gravities = [
  'center',
  'top',
  'right',
  'bottom',
  'left',
  'top_left',
  'top_right',
  'bottom_left',
  'bottom_right',
  'face',
  'faces',
] as const;
const imageFormats = ['jpg', 'png', 'webp', 'avif', 'gif'] as const;

const side = z.int().min(1).max(RENDITION_SIDE);
const pixels = z.int().min(0).max(100_000);
const fraction = z.number().min(0).max(1);

/** How a picture is transformed (rule media/renditions). The names are those of its query parameters. */
export const MediaTransform = z
  .strictObject({
    w: side.optional().describe('Width in pixels.'),
    h: side.optional().describe('Height in pixels.'),
    fit: z
      .enum(fits)
      .optional()
      .describe('How the picture fits into width and height. Unset: it is scaled to fit inside.'),
    f: z.enum(gravities).optional().describe('Part of the picture that a crop keeps; face is center.'),
    fm: z.enum(imageFormats).optional().describe('Format. Unset: that of the file.'),
    q: z.int().min(1).max(100).optional().describe('Quality of lossy formats.'),
    dpr: z.number().min(1).max(3).optional().describe('Multiplies width and height.'),
    bg: z
      .string()
      .regex(/^rgb:[0-9a-fA-F]{6}$/)
      .optional()
      .describe('Background color of padding and transparency.'),
    fl: z.literal('progressive').optional().describe('Progressive JPEG.'),
    auto: z.literal('format').optional().describe('The best format that the client accepts.'),
    fp: z
      .strictObject({ x: fraction, y: fraction })
      .optional()
      .describe('Focal point of a crop. Unset: that of the asset.'),
    rect: z
      .strictObject({ x: pixels, y: pixels, w: pixels.min(1), h: pixels.min(1) })
      .optional()
      .describe('Part of the upright original, in pixels.'),
  })
  .meta({ id: 'MediaTransform' });

export type MediaTransform = z.output<typeof MediaTransform>;

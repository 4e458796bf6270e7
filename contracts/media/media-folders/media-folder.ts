import { z } from 'zod';
import { limits } from '../../limits.js';
import { Id, Timestamp } from '../../primitives.js';

/** Rule media/use. */
export const MediaFolder = z
  .object({
    id: z.string(),
    name: z.string().meta({ example: 'Harbour' }),
    parentId: z.string().nullable(),
    path: z
      .string()
      .meta({ description: 'Names from the top, separated by slashes.', example: '/Places/Harbour' }),
    assetCount: z.int().meta({ description: 'Assets in the folder itself.', example: 12 }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'MediaFolder', description: 'A folder of assets.' });
export type MediaFolder = z.infer<typeof MediaFolder>;

export const FolderName = z
  .string()
  .trim()
  .min(1)
  .max(limits.nameLength)
  .refine((name) => !name.includes('/'), 'must not contain a slash')
  .meta({
    description: 'Name, unique in its parent.',
    example: 'Harbour',
    pattern: String.raw`^[^/]*[^/\s][^/]*$`,
  });

export const FolderParent = Id.nullish().meta({ description: 'Parent folder. Null is the top level.' });

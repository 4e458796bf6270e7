import { z } from 'zod';
import { ListMeta } from '../../envelopes.js';

/** Rule publication/preview-sessions. Its values are refused without the right to previews. */
export const contentSourceMaps = z.enum(['json', 'stega']).optional().meta({
  description:
    'For previews: say which field each value is of. `json` adds `meta.contentSourceMaps`; `stega` hides it in strings that people read, in characters that are not shown.',
  example: 'json',
});

export const ContentSource = z.object({
  entryId: z.string().meta({ description: 'Entry that has the field, also of a block that is part of it.' }),
  locale: z.string(),
  path: z.string().meta({
    description: 'Path of the field in the entry; blocks on it are named by id.',
    example: 'sections[019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69].title',
  }),
});
export type ContentSource = z.infer<typeof ContentSource>;

export const ContentSources = z
  .record(z.string(), ContentSource)
  .optional()
  .meta({ description: 'The field of each value by JSON pointer into `data`, if requested.' });

/** A response whose `meta` can have the sources of its `data`. */
export const dataWithSources = <S extends z.ZodType>(data: S) =>
  z.object({
    data,
    meta: z
      .object({ contentSourceMaps: ContentSources })
      .optional()
      .meta({ description: 'Facts about the response.' }),
  });

export const ContentListMeta = ListMeta.extend({ contentSourceMaps: ContentSources }).meta({
  id: 'ContentListMeta',
  description: 'Pagination of a list of entries.',
});

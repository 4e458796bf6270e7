import { z } from 'zod';
import { DeliveryMedia } from '../../media/media/media-asset.js';
import { limits } from '../../limits.js';
import { DeliveryEntry } from './content-entry.js';
import { SiteRedirect } from './route.js';

/** A path of a page in one locale (rule publication/sync). */
const SyncRoute = z
  .object({
    path: z.string().meta({
      description: 'Public path, with the prefix of its locale if the site uses them.',
      example: '/about/team',
    }),
    entryId: z.string().meta({ description: 'Entry of the page.' }),
  })
  .meta({ id: 'SyncRoute', description: 'The path of a page in one locale.' });

const id = z.string();
const op = z.enum(['upsert', 'delete']).meta({
  description: '`upsert` has the whole document. `delete`: the site no longer serves it.',
});
const locale = z.string().optional().meta({
  description: 'The locale of the document; absent if it is the same in every locale.',
  example: 'en',
});

/** Kind, id and locale identify a document (rule publication/sync). */
export const SyncItem = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('entry').meta({ description: 'An entry.' }),
      op,
      id,
      locale,
      document: DeliveryEntry.optional(),
    }),
    z.object({
      kind: z.literal('asset').meta({ description: 'A media asset.' }),
      op,
      id,
      locale,
      document: DeliveryMedia.optional(),
    }),
    z.object({
      kind: z.literal('route').meta({ description: 'A path of an entry.' }),
      op,
      id,
      locale,
      document: SyncRoute.optional(),
    }),
    z.object({
      kind: z.literal('redirect').meta({ description: 'A redirect.' }),
      op,
      id,
      document: SiteRedirect.optional(),
    }),
  ])
  .meta({ id: 'SyncItem', description: 'A document as the site serves it now, or its deletion.' });
export type SyncItem = z.infer<typeof SyncItem>;
export type SyncKind = SyncItem['kind'];

export const SyncMeta = z
  .object({
    nextCursor: z.string().meta({ description: 'Continue with it, now or later.' }),
    hasMore: z.boolean().meta({ description: 'Whether there is more to read at once.' }),
  })
  .meta({ id: 'SyncMeta', description: 'Where a client continues.' });

export const syncParameters = {
  cursor: z
    .string()
    .min(1)
    .max(limits.cursorLength)
    .optional()
    .meta({
      description: `\`meta.nextCursor\` of the previous page, valid for ${limits.syncDays} days. Without it, all content is returned, in pages.`,
      example:
        'eyJzaW5jZSI6eyJzbmFwc2hvdCI6IjE0MjA6MTQyMDoifX0.Zy0xT3VtQ2hYc0pBd1R2b0RrUmVQbG5xV2JZaWZHYQ1hGNs',
    }),
  limit: z
    .int()
    .min(1)
    .max(limits.syncItems)
    .default(limits.syncItemsDefault)
    .meta({
      description: `Documents to look at for one page, 1 to ${limits.syncItems}. An asset counts once for all its locales. Pages of large documents are shorter.`,
      example: 100,
    }),
};

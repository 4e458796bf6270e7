import { z } from 'zod';
import { Timestamp } from '../../primitives.js';
import { DeliveryEntry } from './delivery-entry.js';

/** System fields of every entry (rule graphql/types). */
export const ContentEntry = DeliveryEntry.omit({ fields: true })
  .extend({
    _path: z.string().nullable().optional().meta({
      description: 'Path of the entry in the requested locale on its site. Null without a route.',
    }),
    _updatedAt: Timestamp.meta({
      description: 'Time of the last publish; in previews, time of the last change.',
    }),
  })
  .meta({
    id: 'ContentEntry',
    description: 'An entry of any content type. Select the fields of its type in inline fragments.',
  });

export const EntryContent = ContentEntry.extend({ fields: DeliveryEntry.shape.fields }).meta({
  id: 'EntryContent',
  description: 'An entry with its system fields and values.',
});
export type EntryContent = z.infer<typeof EntryContent>;

/** Where references are resolved. */
export const ReadOrigin = z.object({
  isPreview: z.boolean(),
  /** Fallback chain, best locale first. */
  locales: z.array(z.string()).readonly(),
  /** Chains by site id, which replace `locales`. */
  siteLocales: z.record(z.string(), z.array(z.string()).readonly()).readonly().optional(),
});
export type ReadOrigin = z.infer<typeof ReadOrigin>;

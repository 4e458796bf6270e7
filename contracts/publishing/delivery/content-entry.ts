import { z } from 'zod';
import { Timestamp } from '../../primitives.js';

/** An unexpanded reference (rule delivery/entry). */
export const LinkObject = z
  .object({ _ref: z.string(), _type: z.string() })
  .meta({ id: 'LinkObject', description: 'A link to another entry: its id and content type.' });
export type LinkObject = z.infer<typeof LinkObject>;

/** Rule delivery/entry. */
export const DeliveryEntry = z
  .object({
    _id: z.string().meta({ description: 'Entry id.' }),
    _type: z.string().meta({ description: 'apiName of the content type.' }),
    _slug: z.string().meta({ description: 'Slug in the locale served.' }),
    _siteId: z.string().meta({ description: 'Id of the site.' }),
    _locale: z.string().meta({ description: 'The locale served, after fallback.' }),
    _publishedAt: Timestamp.nullable().meta({
      description: 'Time of the last publish. Null only in previews of entries that were never published.',
    }),
    _path: z.string().nullable().optional().meta({
      description:
        'Path of the entry in the requested locale on its site; null without a route. Present if `paths=true`.',
      example: '/about/team',
    }),
    fields: z.record(z.string(), z.unknown()).meta({ description: 'Values by field apiName.' }),
  })
  .meta({ id: 'DeliveryEntry', description: 'An entry in delivery shape.' });
export type DeliveryEntry = z.infer<typeof DeliveryEntry>;

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

import { z } from 'zod';
import { EntryStatus } from './entry.js';

/** Rule entries/delete. */
export const EntryReference = z
  .object({
    entryId: z.string(),
    contentTypeApiName: z.string(),
    title: z.string(),
    fieldApiName: z.string(),
    blocks: z.array(z.string()).meta({
      description: 'Ids of the blocks of the draft whose field it is. Empty for a field of the entry itself.',
    }),
    locale: z.string().nullable().meta({ description: 'Null for a field shared by all locales.' }),
    status: EntryStatus,
    siteId: z.string(),
  })
  .meta({ id: 'EntryReference', description: 'A field that references the entry.' });
export type EntryReference = z.infer<typeof EntryReference>;

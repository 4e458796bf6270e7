import { z } from 'zod';
import { EntryStatus } from './entry.js';

/** A field of an entry that refers to another entry (decisions 2.9). */
export const EntryReference = z
  .object({
    entryId: z.string(),
    contentTypeApiName: z.string(),
    title: z.string(),
    fieldApiName: z.string(),
    locale: z.string().nullable().meta({ description: 'Null for a field that is the same in every locale.' }),
    status: EntryStatus,
    siteId: z.string(),
  })
  .meta({ id: 'EntryReference', description: 'Where an entry is referred to.' });
export type EntryReference = z.infer<typeof EntryReference>;

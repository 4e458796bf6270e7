import { z } from 'zod';
import { PageMeta } from '../../envelopes.js';
import { EntryContent } from './content-entry.js';
import { DeliveryEntry } from './delivery-entry.js';

export const highlights = z.record(z.string(), z.array(z.string())).optional().meta({
  description:
    'Parts of the values by field, or by path (`sections[<id>].title`) inside a block, as HTML: what was found is in `<em>`, all else is escaped. `title` is the title.',
});

export const facetCounts = z
  .record(z.string(), z.record(z.string(), z.int()))
  .optional()
  .meta({ description: 'Number of results of the whole list by facet and value, the largest 100 of each.' });

export const score = z
  .number()
  .meta({ description: 'Higher is better; 0 without a query. Comparable within one list.' });

const hit = {
  title: z.string().meta({
    description: 'Value of the display field, or the slug without one.',
    example: 'The upper lock',
  }),
  score,
  highlights,
};

/** A result of delivery search (rule delivery/search). */
export const SearchHit = z
  .object({ entry: DeliveryEntry, ...hit })
  .meta({ id: 'SearchHit', description: 'An entry that was found.' });
export type SearchHit = z.infer<typeof SearchHit>;

/** As {@link SearchHit}, before its references are followed. */
export const FoundContent = z.object({ entry: EntryContent, ...hit });
export type FoundContent = z.infer<typeof FoundContent>;

export const searchCounts = { facets: facetCounts };

export const SiteSearchMeta = PageMeta.extend(searchCounts).meta({
  id: 'SiteSearchMeta',
  description: 'Pagination of found entries, with the requested facets.',
});
export type SiteSearchMeta = z.infer<typeof SiteSearchMeta>;

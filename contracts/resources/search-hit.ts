import { z } from 'zod';
import { PageMeta } from '../envelopes.js';
import { EntryContent } from './content-entry.js';
import { DeliveryEntry } from './delivery-entry.js';
import { facetCounts, highlights, score } from './search.js';

const hit = {
  title: z.string().meta({
    description: 'Value of the display field, or the slug without one.',
    example: 'The upper lock',
  }),
  score,
  highlights,
};

/** A result of delivery search (decisions 3.7). */
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

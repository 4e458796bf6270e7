import { z } from 'zod';
import { PageMeta } from '../../envelopes.js';
import { Timestamp } from '../../primitives.js';
import { highlights, score, searchCounts } from '../../publishing/delivery/search-hit.js';
import { EntryStatus } from '../../entries/entries/entry.js';

export const SearchProvider = z
  .enum(['database', 'opensearch'])
  .meta({ description: 'Where the index is.', example: 'database' });
export type SearchProvider = z.infer<typeof SearchProvider>;

export const searchModes = ['keyword', 'semantic', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];

/** Rule search/drafts. */
export const SearchResult = z
  .object({
    entryId: z.string(),
    contentTypeApiName: z.string(),
    siteId: z.string(),
    locale: z.string(),
    title: z.string(),
    slug: z.string(),
    status: EntryStatus,
    score,
    highlights,
    updatedAt: Timestamp,
    fields: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'SearchResult', description: 'One locale of an entry that was found.' });
export type SearchResult = z.infer<typeof SearchResult>;

export const SearchMeta = PageMeta.extend({
  ...searchCounts,
  provider: SearchProvider,
  tookMs: z.number().meta({ description: 'Milliseconds that the search took.' }),
}).meta({ id: 'SearchMeta', description: 'Pagination of search results, with the requested facets.' });
export type SearchMeta = z.infer<typeof SearchMeta>;

/** With the provider `database` there is nothing to rebuild: the index is kept with every write. */
const ReindexNoop = z
  .object({ status: z.enum(['noop']), provider: SearchProvider })
  .meta({ id: 'ReindexNoop', description: 'Nothing is to be rebuilt.' });

const ReindexJob = z
  .object({ jobId: z.string(), status: z.enum(['queued']), provider: SearchProvider })
  .meta({ id: 'ReindexJob', description: 'A rebuild, started or already running.' });

export const Reindex = z.union([ReindexNoop, ReindexJob]);
export type Reindex = z.infer<typeof Reindex>;

import { z } from 'zod';
import { PageMeta } from '../../envelopes.js';
import { limits } from '../../limits.js';
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
    locales: z
      .array(z.string())
      .optional()
      .meta({ description: 'With `group=entry`: the locales that were found.', example: ['de', 'en'] }),
    path: z.string().nullable().optional().meta({
      description:
        'With `group=entry`: the public path that the draft will have once it is published, null without one.',
      example: '/locks/upper-lock',
    }),
    fields: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({
    id: 'SearchResult',
    description: 'One locale of an entry that was found, or an entry in the locale found first.',
  });
export type SearchResult = z.infer<typeof SearchResult>;

export const SearchMeta = PageMeta.extend({
  ...searchCounts,
  provider: SearchProvider,
  tookMs: z.number().meta({ description: 'Milliseconds that the search took.' }),
}).meta({ id: 'SearchMeta', description: 'Pagination of search results, with the requested facets.' });
export type SearchMeta = z.infer<typeof SearchMeta>;

/** Of the settings of an environment. */
export const searchBounds = {
  /** Of all locales together. */
  synonymLists: 1000,
  synonymsPerList: 10,
  synonymCharacters: 60,
  synonymWords: 5,
  /** Content types, and fields. */
  boosts: 50,
};

const synonym = z
  .string()
  .trim()
  .min(1)
  .max(searchBounds.synonymCharacters)
  .meta({ pattern: String.raw`\S` });

const Synonyms = z
  .record(
    z.string().max(35),
    z.array(z.array(synonym).min(2).max(searchBounds.synonymsPerList)).max(searchBounds.synonymLists),
  )
  .meta({
    description: `Words and phrases that mean the same, by locale: at most ${String(searchBounds.synonymLists)} lists.`,
    example: { de: [['Kfz', 'Auto', 'Personenkraftwagen']] },
  });

const boosts = (key: string, example: Record<string, number>) =>
  z
    .record(z.string().max(2 * limits.apiNameLength + 1), z.number().min(0.1).max(10))
    .default({})
    .meta({ description: `What results count by ${key}; 1 is usual.`, example });

const Boosts = z
  .strictObject({
    types: boosts('content type', { article: 2 }),
    fields: boosts('field in which words are found', { 'article.title': 3 }),
  })
  .meta({ description: 'Content types and fields that count more or less.' });

/** Rule search/settings. */
export const searchSettingsChange = { synonyms: Synonyms.optional(), boosts: Boosts.optional() };

export const SearchSettings = z
  .object({ synonyms: Synonyms, boosts: Boosts })
  .meta({ id: 'SearchSettings', description: 'Synonyms and boosts of an environment.' });
export type SearchSettings = z.infer<typeof SearchSettings>;

/** With the provider `database` there is nothing to rebuild: the index is kept with every write. */
const ReindexNoop = z
  .object({ status: z.enum(['noop']), provider: SearchProvider })
  .meta({ id: 'ReindexNoop', description: 'Nothing is to be rebuilt.' });

const ReindexJob = z
  .object({ jobId: z.string(), status: z.enum(['queued']), provider: SearchProvider })
  .meta({ id: 'ReindexJob', description: 'A rebuild, started or already running.' });

export const Reindex = z.union([ReindexNoop, ReindexJob]);
export type Reindex = z.infer<typeof Reindex>;

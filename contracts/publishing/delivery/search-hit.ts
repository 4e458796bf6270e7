import { z } from 'zod';
import { PageMeta } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { ContentSources } from './source-map.js';
import { EntryContent, DeliveryEntry } from './content-entry.js';

export const highlights = z.record(z.string(), z.array(z.string())).optional().meta({
  description:
    'Parts of the values by field, or by path (`sections[<id>].title`) inside a block, as HTML: what was found is in `<em>`, all else is escaped. `title` is the title.',
});

const facetCounts = z
  .record(z.string(), z.record(z.string(), z.int()))
  .optional()
  .meta({ description: 'Number of results of the whole list by facet and value, the largest 100 of each.' });

const facetTitles = z.record(z.string(), z.record(z.string(), z.string())).optional().meta({
  description: 'Titles of the entries that facets of reference fields count, by facet and id.',
});

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

export const Suggestion = z
  .object({
    q: z.string().meta({ description: 'The query with the words corrected.', example: 'river lock' }),
    total: z.int().meta({ description: 'Number of its results.', example: 12 }),
  })
  .meta({
    id: 'SearchSuggestion',
    description:
      'What may be meant, on the first page, where at least ten times as many results are found by it.',
  });

export const searchCounts = { facets: facetCounts, facetTitles, suggestion: Suggestion.optional() };

export const SiteSearchMeta = PageMeta.extend({
  ...searchCounts,
  contentSourceMaps: ContentSources,
}).meta({
  id: 'SiteSearchMeta',
  description: 'Pagination of found entries, with the requested facets.',
});
export type SiteSearchMeta = z.infer<typeof SiteSearchMeta>;

/** Rule search/suggestions. */
export const SearchCompletion = z
  .object({
    kind: z
      .enum(['query', 'entry'])
      .meta({ description: 'A query with its last word completed, or an entry.' }),
    text: z.string().meta({ description: 'The query, or the title of the entry.', example: 'river lock' }),
    entryId: z.string().optional().meta({ description: 'Id of an entry.' }),
    contentTypeApiName: z.string().optional().meta({ description: 'Type of an entry.' }),
    siteId: z.string().optional().meta({ description: 'Site of an entry.' }),
    locale: z.string().optional().meta({ description: 'Locale of an entry.' }),
    path: z.string().nullable().optional().meta({
      description: 'Public path of the entry, null without one. In delivery only.',
      example: '/locks',
    }),
  })
  .meta({ id: 'SearchCompletion', description: 'What may be meant by the beginning of a query.' });
export type SearchCompletion = z.infer<typeof SearchCompletion>;

const typedText = z.string().max(limits.searchQueryLength).meta({
  description:
    'What has been typed. Its last word may be unfinished; from five letters on, one wrong letter is tolerated if nothing matches.',
  example: 'river lo',
});

const completionLimit = z
  .int()
  .min(1)
  .max(limits.searchCompletions)
  .default(limits.searchCompletionsDefault)
  .meta({
    description: `Maximum number of suggestions, 1 to ${String(limits.searchCompletions)}.`,
    example: 10,
  });

/** What is typed, and how many suggestions it gets. */
export const completionParameters = { q: typedText, limit: completionLimit };

/** Parameters of every search (rules search/drafts and delivery/search). */
export const searchText = z
  .string()
  .max(limits.searchQueryLength)
  .optional()
  .meta({
    description: `Words to find in all fields, \`"phrases"\`, \`-\` before what is left out, and \`OR\` between alternatives. The last word may be unfinished. Typing errors are tolerated if nothing has the words as written, and if nothing has all of them, any suffices. Without sort, \`meta.total\` and facets stop at ${String(limits.searchMatches)} with the provider \`database\`.`,
    example: 'river lock',
  });

/** @param keys system keys */
export const searchSort = (keys: string) =>
  z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_.]*:(?:asc|desc)$/, 'must be a key and asc or desc, such as updatedAt:desc')
    .max(limits.apiNameLength + 20)
    .optional()
    .meta({
      description: `Sort key and direction: ${keys} or \`fields.{apiName}\`. Defaults to the best results first, then the last updated.`,
      example: 'updatedAt:desc',
    });

/** @param names system facets */
export const searchFacets = (names: string) =>
  z
    .array(z.string().max(limits.apiNameLength + 10))
    .max(limits.searchFacets)
    .optional()
    .meta({
      description: `Count results by these, separated by commas: ${names} or \`fields.{apiName}\`. Values of reference fields are ids, with \`facetTitles\`.`,
      example: ['locale'],
    });

export const highlight = z
  .boolean()
  .default(false)
  .meta({ description: 'Return the parts of the values that were found.', example: true });

/** Of what is published: the site and its states are given. */
export const siteSort = searchSort('title, createdAt, updatedAt, publishedAt');
export const siteFacets = searchFacets('contentType, locale');

import type { SearchDocument, SearchStage } from '../../../content/search/search-document.js';
import type { SearchSettingsData } from '../../../content/search/boosts.js';
import type { Condition } from '../../publishing/delivery/index.js';
import type { EntryStatus } from '../../../../contracts/entries/entries/entry.js';
import type { SearchProvider } from '../../../../contracts/insight/search/search.js';
import type { EmptySearch } from '../reports/index.js';
import type { StateFilter } from '../../entries/entries/index.js';
import type { Comparison } from '../../../content/field-kinds/index.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { IndexedWord } from './word.repository.js';
import type { QueryTerms } from '../../../content/search/search-query.js';
import type { Token } from '../../../content/search/words.js';

/**
 * Null filters match all. Rights are those of the unit of work on drafts; what is live has none. The search of what is
 * live filters by types, sites, locales and conditions only.
 */
export interface SearchQuery {
  readonly stage: SearchStage;
  /** Empty: filters and order only. */
  readonly q: string;
  /** Locales whose words a query may contain. */
  readonly languages: readonly string[];
  readonly settings: SearchSettingsData;
  readonly locales: readonly string[] | null;
  /** `locales` is a fallback chain: an entry is found only in the first of them that it has at this stage. */
  readonly isChain: boolean;
  /** Of the types searched, those whose entries have one document for every locale. */
  readonly forAll: readonly string[];
  readonly contentTypeIds: readonly string[] | null;
  readonly siteIds: readonly string[] | null;
  readonly statuses: readonly EntryStatus[] | null;
  readonly states: StateFilter | null;
  readonly assigneeIds: readonly string[] | null;
  readonly createdBy: readonly string[] | null;
  readonly updatedBy: readonly string[] | null;
  readonly updatedAfter: Date | null;
  readonly updatedBefore: Date | null;
  readonly conditions: readonly Condition[];
  /** Null: the best first, then the last updated. */
  readonly sort: SearchSort | null;
  readonly facets: readonly SearchFacet[];
  /** One result per entry instead of one per locale: the best. Totals and facets count entries. */
  readonly isGrouped: boolean;
  readonly limit: number;
  readonly offset: number;
}

export const systemSortKeys = ['title', 'createdAt', 'updatedAt', 'publishedAt'] as const;
export type SystemSortKey = (typeof systemSortKeys)[number];

export type SearchSort = { readonly isAscending: boolean } & (
  { readonly key: SystemSortKey } | { readonly apiName: string; readonly comparison: Comparison }
);

export const systemFacets = ['contentType', 'site', 'locale', 'status', 'workflowState', 'assignee'] as const;
export type SystemFacet = (typeof systemFacets)[number];
/** Facets whose values mean something of a type and site only. */
export type PlacedFacet = Extract<SystemFacet, 'workflowState' | 'locale'>;
export const isPlaced = (name: SystemFacet): name is PlacedFacet =>
  name === 'workflowState' || name === 'locale';
/** Values counted in one facet; the most frequent come first. */
export const FACET_VALUES = 100;

export type SearchFacet = { readonly name: SystemFacet } | FieldFacet;

/** Counts values of a field: of references the ids. */
export interface FieldFacet {
  readonly apiName: string;
  readonly isList: boolean;
  readonly isLink: boolean;
}

/** How much a document must have of a query. */
export type Demand = 'all' | 'any';

/** A locale of an entry. */
export interface HitKey {
  readonly entryId: string;
  readonly locale: string;
}

export interface SearchHit extends HitKey {
  readonly score: number;
  /** Of a group: the locales found, in order. */
  readonly locales?: readonly string[];
}

export interface SearchFound {
  readonly hits: readonly SearchHit[];
  readonly total: number;
  /** Counts by value, one for each facet; of states and locales by type and site, too. */
  readonly facets: readonly (readonly FacetCount[])[];
  /** What may be meant, where it finds more. */
  readonly suggestion?: Suggestion;
}

export interface Suggestion {
  readonly q: string;
  readonly total: number;
}

/** Whether words found nothing, and not because of filters. */
export const isFruitless = (query: SearchQuery, total: number): boolean =>
  total === 0 &&
  query.offset === 0 &&
  query.q.trim() !== '' &&
  query.conditions.length === 0 &&
  [
    query.statuses,
    query.states,
    query.assigneeIds,
    query.createdBy,
    query.updatedBy,
    query.updatedAfter,
    query.updatedBefore,
  ].every((filter) => filter === null);

const single = (values: readonly string[] | null): string | null =>
  values?.length === 1 ? (values[0] ?? null) : null;

/** A search of drafts as it is counted. */
export const draftSearch = ({ q, siteIds, locales }: SearchQuery): EmptySearch => ({
  q,
  source: 'management',
  siteId: single(siteIds),
  locale: single(locales),
});

/** More documents of one word make no difference. */
export const COUNTED = 20;

/** A document with its title as the index keeps it. */
export interface TitleHit extends HitKey {
  readonly title: string;
}

/** Documents whose titles have what was typed. */
export interface TitleQuery extends QueryTerms {
  /** Titles that begin with it come first; null if none is looked for. */
  readonly beginning: string | null;
  readonly limit: number;
}

/** What documents must have, and words of which they may have one. */
export interface WordQuery {
  readonly context: QueryTerms;
  readonly words: readonly string[];
}

/** A word that documents have. */
export interface CountedWord {
  readonly word: string;
  /** At most {@link COUNTED}. */
  readonly documents: number;
}

/** A word in the place of another one of a query. */
export interface Replacement extends IndexedWord {
  readonly token: Pick<Token, 'start' | 'end'>;
}

export interface CompletedQuery {
  /** As it was typed. */
  readonly q: string;
  /** The completed word, and a corrected one. */
  readonly words: readonly Replacement[];
  /** Of words with other spellings: the first document by title that it finds. */
  readonly sample: HitKey | undefined;
}

/** What a query that is being typed may become. */
export interface Completions {
  readonly queries: readonly CompletedQuery[];
  readonly titles: readonly TitleHit[];
}

export interface FacetCount {
  readonly value: string;
  readonly count: number;
  /** Of workflow states and locales. */
  readonly contentTypeId?: string;
  readonly siteId?: string;
}

/** What is indexed of some entries: documents of theirs that are not among these are removed. */
export interface IndexedEntries {
  readonly entryIds: readonly string[];
  readonly documents: readonly SearchDocument[];
}

/** Entries to index again; null is all. */
export interface Reindexed {
  readonly contentTypeIds: readonly string[] | null;
  readonly siteIds: readonly string[] | null;
}

export interface Rebuild {
  readonly id: string;
  /** Entries that were noted. */
  readonly entries: number;
}

/**
 * One interface for every provider (rule search/index). Writers index under the lock of the queue.
 * @throws EngineFailure if a search engine does not work: nothing was lost, so that callers try again later
 */
export interface SearchIndex {
  readonly provider: SearchProvider;
  index(work: UnitOfWork, entries: IndexedEntries): Promise<void>;
  /**
   * Follows each batch: a new index that is complete is searched from now on.
   * @returns whether a new index is not complete yet
   */
  settle(work: UnitOfWork): Promise<boolean>;
  /** @throws AppError 503 `search_unavailable` */
  search(work: UnitOfWork, query: SearchQuery): Promise<SearchFound>;
  /**
   * What the query may become as its last word is typed, with the place and rights of the search.
   * @throws AppError 503 `search_unavailable`
   */
  complete(work: UnitOfWork, query: SearchQuery): Promise<Completions>;
  /** Notes entries, and begins a new index of all of them while the former keeps serving. */
  rebuild(work: UnitOfWork, reindexed: Reindexed): Promise<Rebuild>;
  /** Removes what belongs to an environment that is gone. */
  drop(environmentId: string): Promise<void>;
  /** What documents would be indexed as, by key. */
  hashes(work: UnitOfWork, documents: readonly SearchDocument[]): Promise<ReadonlyMap<string, string>>;
}

import type { deliveryReads } from '../../../../contracts/publishing/delivery/delivery.contract.js';
import type { graphqlReads } from '../../../../contracts/publishing/delivery/graphql.contract.js';
import type { SearchCompletion } from '../../../../contracts/publishing/delivery/search-hit.js';
import type { search } from '../../../../contracts/insight/search/search.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { publicPaths } from '../../publishing/delivery/index.js';
import type { IndexedWord } from './word.repository.js';
import type { SearchText } from '../../../content/search/search-document.js';
import { vocabularyOf } from '../../../content/search/search-vector.js';
import { tokensOf } from '../../../content/search/words.js';
import type { CompletedQuery, Completions, HitKey, TitleHit } from './search-index.js';
import { FoundDraftRepository } from './search.repository.js';
import { draftTexts, queryOf, type EntrySearch } from './search-for-agents.js';
import { documentTexts, placeOf, traceQuery, type SiteSearch } from './site-search.js';

/** An entry as it is suggested, with the texts that its words come from. */
interface SuggestedEntry {
  readonly locale: string;
  readonly title: string;
  readonly row: Omit<SearchCompletion, 'kind' | 'text'>;
  texts(): readonly SearchText[];
}

/** The word as the entry writes it: other entries, which the caller may not read, write it with other accents. */
function writtenIn(entry: SuggestedEntry | undefined, { word, written }: IndexedWord): string {
  if (entry === undefined || word === written) return word;
  const { locale } = entry;
  for (const { text } of entry.texts())
    for (const token of tokensOf(text.normalize('NFC'), locale))
      for (const [form, spelling] of vocabularyOf(token, locale)) if (form === word) return spelling;
  return word;
}

function textOf({ q, words }: CompletedQuery, entry: SuggestedEntry | undefined): string {
  let text = q;
  for (const { token, ...word } of words.toSorted((one, other) => other.token.start - one.token.start))
    text = `${text.slice(0, token.start)}${writtenIn(entry, word)}${text.slice(token.end)}`;
  return text;
}

const keyOf = ({ entryId, locale }: HitKey): string => `${entryId} ${locale}`;

/**
 * Queries and entries, of each half of the limit at most if there are enough of the other.
 * @param read entries by id and locale, without those that the caller may not read
 */
async function presentCompletions(
  { queries, titles }: Completions,
  limit: number,
  read: (hits: readonly HitKey[]) => Promise<readonly SuggestedEntry[]>,
): Promise<SearchCompletion[]> {
  const first = new Map<string, TitleHit>();
  for (const hit of titles) if (!first.has(hit.entryId)) first.set(hit.entryId, hit);
  const hits = [...first.values()].slice(0, limit);
  const some = queries.slice(0, limit);
  const samples = some.flatMap(({ sample }) => sample ?? []);
  const entries = await read([...new Map([...hits, ...samples].map((hit) => [keyOf(hit), hit])).values()]);
  const known = new Map(
    entries.map((entry) => [keyOf({ entryId: entry.row.entryId ?? '', locale: entry.locale }), entry]),
  );
  const found = hits.flatMap((hit) => known.get(keyOf(hit)) ?? []);
  const texts = new Set(some.map((query) => textOf(query, query.sample && known.get(keyOf(query.sample)))));
  const most = Math.max(Math.floor(limit / 2), limit - found.length);
  return [
    ...[...texts].slice(0, most).map((text) => ({ kind: 'query' as const, text })),
    ...found.map(({ title, row }) => ({ kind: 'entry' as const, text: title, ...row })),
  ].slice(0, limit);
}

/** Suggests drafts and queries that find some (rule search/suggestions). */
export function suggestEntries(
  { services, inUnit }: EntrySearch,
  { q, locale, siteId, limit }: InputOf<typeof search.suggest>,
): Promise<{ data: SearchCompletion[] }> {
  return inUnit(async (work) => {
    const catalog = await work.use(CatalogRepository).current();
    const query = queryOf(catalog, {
      q,
      locale: locale === undefined ? undefined : [locale],
      siteId: siteId === undefined ? undefined : [siteId],
      limit,
      page: 1,
    });
    const read = async (hits: readonly HitKey[]): Promise<SuggestedEntry[]> => {
      const drafts = await work.use(FoundDraftRepository).of(hits, true);
      return drafts.map((draft) => ({
        locale: draft.locale,
        title: draft.title,
        row: {
          entryId: draft.entryId,
          contentTypeApiName: catalog.contentTypeById(draft.contentTypeId)?.apiName ?? '',
          siteId: draft.siteId,
          locale: draft.locale,
        },
        texts: () => draftTexts(draft, catalog).texts,
      }));
    };
    return { data: await presentCompletions(await services.index.complete(work, query), limit, read) };
  });
}

type SiteInput = Pick<InputOf<typeof deliveryReads.suggestSearch>, 'siteSlug' | 'q' | 'locale' | 'limit'> &
  Pick<InputOf<typeof graphqlReads.suggest>, 'preview'>;

/** Suggests the entries of a site in the locales in which it serves them, and queries that find some. */
export async function suggestOnSite(
  search: SiteSearch,
  { siteSlug, q, locale, limit }: SiteInput,
): Promise<{ data: SearchCompletion[] }> {
  const { read, services, inUnit } = search;
  const { catalog, source, routes, trace } = read;
  const { site, locales, query } = placeOf(search, { siteSlug, q, locale, limit });
  traceQuery(search, query, site);
  const completions = await inUnit((work) => services.index.complete(work, query));
  const entries = async (hits: readonly HitKey[]): Promise<SuggestedEntry[]> => {
    const documents = await source.byIds(
      hits.map(({ entryId }) => entryId),
      locales,
    );
    trace.addDocuments(documents, catalog);
    const placed = documents.map(({ id, siteId, locale: served }) => ({
      id,
      siteId,
      locale: served,
      requested: locales[0] ?? '',
    }));
    const paths = await publicPaths({ catalog, routes, isPreview: source.isPreview }, placed);
    return documents.map((document, index) => {
      const { id, contentTypeId, siteId, locale: served } = document;
      const contentTypeApiName = catalog.contentTypeById(contentTypeId)?.apiName ?? '';
      const { title, texts } = documentTexts(document, catalog);
      return {
        locale: served,
        title,
        row: { entryId: id, contentTypeApiName, siteId, locale: served, path: paths[index] ?? null },
        texts: () => texts,
      };
    });
  };
  return { data: await presentCompletions(completions, limit, entries) };
}

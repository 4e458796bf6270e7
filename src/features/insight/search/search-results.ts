import type { Catalog } from '../../../content/catalog.js';
import type { FacetCount, SearchFacet, Vocabulary } from './search-index.js';
import { facetName } from './search-options.js';
import { dictionariesOf, dictionaryOf } from '../../../content/search/dictionaries.js';
import { highlightsOf } from '../../../content/search/highlight.js';
import { tokenize, wordsOf } from '../../../content/search/search-vector.js';
import type { SearchText } from '../../../content/search/search-document.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { Lexicon } from './lexicon.js';
import { planQuery, tolerant } from './query-plan.js';

function valueOf(
  facet: SearchFacet,
  count: FacetCount,
  { catalog, served }: { readonly catalog: Catalog; readonly served: string | undefined },
): string | undefined {
  if (!('name' in facet)) return count.value;
  if (facet.name === 'contentType') return catalog.contentTypeById(count.value)?.apiName;
  const { contentTypeId = '', siteId = '' } = count;
  if (facet.name === 'locale')
    return catalog.contentTypeById(contentTypeId)?.isLocalized === false
      ? (served ?? count.value)
      : count.value;
  if (facet.name !== 'workflowState') return count.value;
  const workflow = catalog.workflowOf({ contentTypeId, siteId });
  return workflow && (count.value === '' ? workflow.baseState : count.value);
}

/**
 * Counts by facet and value, as they are returned.
 * @param served locale in which documents of every locale are shown, if there is one
 */
export function presentFacets(
  catalog: Catalog,
  {
    facets,
    counts,
    served,
  }: {
    facets: readonly SearchFacet[];
    counts: readonly (readonly FacetCount[])[];
    served?: string | undefined;
  },
): Record<string, Record<string, number>> {
  const presented = facets.map((facet, index) => {
    const totals = new Map<string, number>();
    for (const count of counts[index] ?? []) {
      const value = valueOf(facet, count, { catalog, served });
      if (value !== undefined) totals.set(value, (totals.get(value) ?? 0) + count.count);
    }
    return [facetName(facet), Object.fromEntries(totals)] as const;
  });
  return Object.fromEntries(presented);
}

/** Texts of one result, by field. */
interface HighlightedTexts {
  readonly locale: string;
  readonly texts: readonly (SearchText & { readonly field: string })[];
}

interface Asked {
  readonly q: string;
  readonly languages: readonly string[];
  /** Of the index that was searched. */
  readonly vocabulary: Vocabulary;
}

type Highlights = Record<string, string[]>;

/** Parts of texts that have words of the query, or words that it may be a misspelling of. */
export async function highlightTexts(
  work: UnitOfWork,
  asked: Asked,
  { lexicon, results }: { readonly lexicon: Lexicon; readonly results: readonly HighlightedTexts[] },
): Promise<Highlights[]> {
  const plan = await planQuery(work, asked, lexicon);
  if (plan === null) return results.map(() => ({}));
  const loose = await tolerant(work, plan, { lexicon, vocabulary: asked.vocabulary });
  const words = new Map(
    dictionariesOf(results.map(({ locale }) => locale)).map((name) => [name, new Set<string>()]),
  );
  for (const { locale, texts } of results) {
    const known = words.get(dictionaryOf(locale) ?? '');
    if (known !== undefined) for (const word of wordsOf(tokenize(texts, locale))) known.add(word);
  }
  const stems = await lexicon.read(work, words);
  return results.map(({ locale, texts }) => {
    const marked = (terms: typeof plan.terms): Highlights => {
      const reading = { locale, terms, dictionary: dictionaryOf(locale), stems };
      const found = texts.map(({ field, text }) => [field, highlightsOf(text, reading)] as const);
      return Object.fromEntries(found.filter(([, parts]) => parts.length > 0));
    };
    const exact = marked([...plan.terms, ...plan.phrases]);
    return Object.keys(exact).length > 0 ? exact : marked([...loose.terms, ...loose.phrases]);
  });
}

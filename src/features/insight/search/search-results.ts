import type { Catalog, FieldDefinition } from '../../../content/catalog.js';
import {
  type FacetCount,
  type SearchFacet,
  type SearchQuery,
  systemFacets,
  systemSortKeys,
  type SearchSort,
  type SystemFacet,
  type SystemSortKey,
} from './search-index.js';
import { dictionariesOf, dictionaryOf } from '../../../content/search/dictionaries.js';
import { highlightsOf } from '../../../content/search/highlight.js';
import { tokenize, wordsOf } from '../../../content/search/search-vector.js';
import type { SearchText } from '../../../content/search/search-document.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { Lexicon } from './lexicon.js';
import { nearInPlan, planQuery, tolerant } from './query-plan.js';
import type { SiteSearchMeta } from '../../../../contracts/publishing/delivery/search-hit.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { invalidInput } from '../../../../contracts/errors.js';
import { kindOf } from '../../../content/field-kinds/index.js';
import { sortedField } from '../../entries/entries/index.js';

const FIELD = 'fields.';

function refuse(path: readonly (string | number)[], code: string, message: string): never {
  throw invalidInput({ path, code, message });
}

type FieldOf = (apiName: string) => FieldDefinition | undefined;

function isSystemKey<const K extends string>(keys: readonly K[], name: string): name is K {
  return (keys as readonly string[]).includes(name);
}

/** @throws AppError 422 */
export function sortOf(sort: string | undefined, fieldOf: FieldOf): SearchSort | null {
  if (sort === undefined) return null;
  const [key = '', direction] = sort.split(':');
  const isAscending = direction === 'asc';
  if (isSystemKey<SystemSortKey>(systemSortKeys, key)) return { key, isAscending };
  const unknown = `Results are not sorted by ${key}. Use ${systemSortKeys.join(', ')} or fields.{apiName}.`;
  if (!key.startsWith(FIELD)) return refuse(['sort'], 'unknown_sort', unknown);
  const { field, comparison } = sortedField(key, fieldOf, ['sort']);
  return { apiName: field.apiName, comparison, isAscending };
}

/** @throws AppError 422 */
export function facetsOf(
  names: readonly string[] | undefined,
  fieldOf: FieldOf,
  known: readonly SystemFacet[] = systemFacets,
): SearchFacet[] {
  return (names ?? []).map((name, index) => {
    if (isSystemKey(known, name)) return { name };
    const path = ['facets', index];
    const unknown = `Unknown facet. Use ${known.join(', ')} or fields.{apiName}.`;
    if (!name.startsWith(FIELD)) return refuse(path, 'unknown_facet', unknown);
    const apiName = name.slice(FIELD.length);
    const field = fieldOf(apiName);
    if (field === undefined) return refuse(path, 'unknown_field', `Unknown field ${apiName}.`);
    const { comparison, isLink } = kindOf(field);
    if (comparison === null || (comparison === 'link' && !isLink))
      return refuse(path, 'invalid_facet', `Values of ${apiName} are not counted.`);
    return { apiName, isList: field.isList, isLink };
  });
}

/** The name of a facet in requests and results. */
const facetName = (facet: SearchFacet): string => ('name' in facet ? facet.name : `${FIELD}${facet.apiName}`);

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
function presentFacets(
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

/** Facets as they are returned: counts, and titles of the entries that are counted. */
type PresentedFacets = Pick<SiteSearchMeta, 'facets' | 'facetTitles'>;

/**
 * Empty without facets.
 * @param readTitles titles by id of the entries that the caller may see
 */
export async function countsOf(
  catalog: Catalog,
  given: Parameters<typeof presentFacets>[1],
  readTitles: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<PresentedFacets> {
  if (given.facets.length === 0) return {};
  const facets = presentFacets(catalog, given);
  const linked = given.facets.filter((facet) => 'isLink' in facet && facet.isLink).map(facetName);
  if (linked.length === 0) return { facets };
  const idsOf = (name: string): string[] => Object.keys(facets[name] ?? {});
  const titles = await readTitles([...new Set(linked.flatMap(idsOf))].filter(isUuid));
  const shown = linked.map((name) => {
    const known = idsOf(name).flatMap((id) => {
      const title = titles.get(id);
      return title === undefined ? [] : [[id, title] as const];
    });
    return [name, Object.fromEntries(known)] as const;
  });
  return { facets, facetTitles: Object.fromEntries(shown) };
}

/** Texts of one result, by field. */
interface HighlightedTexts {
  readonly locale: string;
  readonly texts: readonly (SearchText & { readonly field: string })[];
}

type Highlights = Record<string, string[]>;

/** Parts of texts that have words of the query, or words that it may be a misspelling of. */
export async function highlightTexts(
  work: UnitOfWork,
  asked: Pick<SearchQuery, 'q' | 'languages' | 'settings'>,
  { lexicon, results }: { readonly lexicon: Lexicon; readonly results: readonly HighlightedTexts[] },
): Promise<Highlights[]> {
  const plan = await planQuery(work, asked, lexicon);
  if (plan === null) return results.map(() => ({}));
  const loose = await tolerant(work, plan, { lexicon, near: await nearInPlan(work, plan) });
  const words = new Map(
    dictionariesOf(results.map(({ locale }) => locale)).map((name) => [name, new Set<string>()]),
  );
  for (const { locale, texts } of results) {
    const known = words.get(dictionaryOf(locale) ?? '');
    if (known !== undefined) for (const word of wordsOf(tokenize(texts, locale), locale)) known.add(word);
  }
  const stems = await lexicon.read(work, words);
  return results.map(({ locale, texts }) => {
    const marked = (terms: typeof plan.terms): Highlights => {
      const reading = { locale, terms, stems };
      const found = texts.map(({ field, text }) => [field, highlightsOf(text, reading)] as const);
      return Object.fromEntries(found.filter(([, parts]) => parts.length > 0));
    };
    const exact = marked([...plan.terms, ...plan.phrases]);
    return Object.keys(exact).length > 0 ? exact : marked([...loose.terms, ...loose.phrases]);
  });
}

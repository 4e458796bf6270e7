import { invalidInput, type InputIssue } from '../../../../contracts/errors.js';
import { searchBounds, type SearchSettings } from '../../../../contracts/insight/search/search.js';
import type { search } from '../../../../contracts/insight/search/search.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { authorize } from '../../../access/authorize.js';
import type { Catalog } from '../../../content/catalog.js';
import { remarkedFields, type SearchSettingsData } from '../../../content/search/boosts.js';
import { synonymKey, synonymTokens } from '../../../content/search/synonyms.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import { SearchQueueRepository } from './queue.repository.js';
import { SearchSettingsRepository } from './settings.repository.js';

type Numbers = Readonly<Record<string, number>>;
type Synonyms = SearchSettings['synonyms'];

/** In the order of their names. */
const sorted = <V>(entries: readonly (readonly [string, V])[]): Record<string, V> =>
  Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** By name; types, fields and locales that are gone are left out. */
function presentSettings(catalog: Catalog): SearchSettings {
  const { synonyms, typeBoosts, fieldBoosts } = catalog.data.searchSettings;
  const { contentTypes } = catalog.data;
  const boostOf = (name: string, boost: number | undefined): (readonly [string, number])[] =>
    boost === undefined ? [] : [[name, boost]];
  const fields = contentTypes.flatMap((type) =>
    type.fields.flatMap(({ id, apiName }) => boostOf(`${type.apiName}.${apiName}`, fieldBoosts[id])),
  );
  return {
    synonyms: sorted(
      Object.entries(synonyms)
        .filter(([locale]) => catalog.locale(locale) !== undefined)
        .map(([locale, lists]) => [locale, lists.map((list) => [...list])]),
    ),
    boosts: {
      types: sorted(contentTypes.flatMap(({ id, apiName }) => boostOf(apiName, typeBoosts[id]))),
      fields: sorted(fields),
    },
  };
}

function listIssues(list: readonly string[], locale: string, path: InputIssue['path']): InputIssue[] {
  const seen = new Set<string>();
  return list.flatMap((text, place): InputIssue[] => {
    const words = synonymTokens(text, locale).length;
    const key = synonymKey(text, locale);
    const isRepeated = seen.has(key);
    seen.add(key);
    const refuse = (code: string, message: string): InputIssue[] => [
      { path: [...path, place], code, message },
    ];
    if (words === 0) return refuse('invalid', 'A synonym needs a letter or digit.');
    if (words > searchBounds.synonymWords)
      return refuse('too_big', `A synonym has at most ${String(searchBounds.synonymWords)} words.`);
    return isRepeated ? refuse('duplicate', 'The list has this synonym already.') : [];
  });
}

/** @throws AppError 422 */
function checkSynonyms(catalog: Catalog, synonyms: Synonyms): Synonyms {
  const issues = Object.entries(synonyms).flatMap(([locale, lists]): InputIssue[] => {
    const path = ['synonyms', locale];
    if (catalog.locale(locale) === undefined)
      return [{ path, code: 'unknown_locale', message: `Unknown locale ${locale}.` }];
    return lists.flatMap((list, place) => listIssues(list, locale, [...path, place]));
  });
  const total = Object.values(synonyms).reduce((sum, lists) => sum + lists.length, 0);
  if (total > searchBounds.synonymLists) {
    const message = `At most ${String(searchBounds.synonymLists)} lists of all locales together.`;
    issues.push({ path: ['synonyms'], code: 'too_big', message });
  }
  if (issues.length > 0) throw invalidInput(...issues);
  return sorted(Object.entries(synonyms).filter(([, lists]) => lists.length > 0));
}

/**
 * Boosts by id; the usual ones are left out.
 * @throws AppError 422
 */
function boostsById(
  given: Numbers,
  key: 'types' | 'fields',
  idOf: (name: string) => string | undefined,
): Numbers {
  const path = ['boosts', key];
  const names = Object.entries(given);
  if (names.length > searchBounds.boosts) {
    const message = `At most ${String(searchBounds.boosts)} boosts.`;
    throw invalidInput({ path, code: 'too_big', message });
  }
  const found = names.map(([name, boost]) => ({ name, boost, id: idOf(name) }));
  const issues = found
    .filter(({ id }) => id === undefined)
    .map(({ name }) => ({
      path: [...path, name],
      code: key === 'types' ? 'unknown_content_type' : 'unknown_field',
      message: `Unknown ${key === 'types' ? 'content type' : 'field'} ${name}.`,
    }));
  if (issues.length > 0) throw invalidInput(...issues);
  return sorted(found.filter(({ boost }) => boost !== 1).map(({ id = '', boost }) => [id, boost]));
}

const fieldOf = (catalog: Catalog, name: string): string | undefined => {
  const [type = '', field = '', ...rest] = name.split('.');
  if (rest.length > 0) return undefined;
  return catalog.contentType(type)?.fields.find(({ apiName }) => apiName === field)?.id;
};

/** Texts of types with these fields, and of those that have them as blocks, are indexed again. */
async function indexAgain(work: UnitOfWork, catalog: Catalog, fieldIds: readonly string[]): Promise<void> {
  if (fieldIds.length === 0) return;
  const types = catalog.data.contentTypes.filter(({ fields }) =>
    fields.some(({ id }) => fieldIds.includes(id)),
  );
  const contentTypeIds = types.some(({ isBlock }) => isBlock) ? null : types.map(({ id }) => id);
  await work.use(SearchQueueRepository).note({ contentTypeIds, siteIds: null });
}

export async function getSearchSettings(work: UnitOfWork): Promise<{ data: SearchSettings }> {
  return { data: presentSettings(await work.use(CatalogRepository).current()) };
}

/** Rule search/settings. @throws AppError 422 with the path of what is unknown or too much */
export async function setSearchSettings(
  work: UnitOfWork,
  input: InputOf<typeof search.setSettings>,
): Promise<{ data: SearchSettings }> {
  authorize(work, 'search.update', {});
  const { projectSlug: _project, ...change } = input;
  const { synonyms, boosts } = definedKeys(change);
  const settings = work.use(SearchSettingsRepository);
  const catalog = await work.use(CatalogRepository).current();
  const before = catalog.data.searchSettings;
  const after: SearchSettingsData = {
    synonyms: synonyms === undefined ? before.synonyms : checkSynonyms(catalog, synonyms),
    ...(boosts === undefined
      ? { typeBoosts: before.typeBoosts, fieldBoosts: before.fieldBoosts }
      : {
          typeBoosts: boostsById(boosts.types, 'types', (name) => catalog.contentType(name)?.id),
          fieldBoosts: boostsById(boosts.fields, 'fields', (name) => fieldOf(catalog, name)),
        }),
  };
  const shown = presentSettings(catalog);
  if (!hasChanges(before, after)) return { data: shown };
  await settings.save(after);
  const changed = await work.use(CatalogRepository).current();
  const data = presentSettings(changed);
  settings.note(shown, data);
  work.emit({ type: 'search_settings.updated', data: { ...data } });
  await indexAgain(work, changed, remarkedFields(before.fieldBoosts, after.fieldBoosts));
  return { data };
}

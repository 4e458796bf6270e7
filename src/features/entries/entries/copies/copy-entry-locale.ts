import { AppError, invalidInput } from '../../../../../contracts/errors.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { Entry } from '../../../../../contracts/entries/entries/entry.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import { changedPaths, rootOf } from '../../../../content/blocks/changed-paths.js';
import { composeValues, mergeOverlays, splitValues } from '../../../../content/blocks/stored-values.js';
import { blockFieldsOf } from '../../../../content/blocks/value-parts.js';
import { followSlug } from '../../../../content/slug-field.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import { anyValue } from '../../../../access/grants.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { assertLocale, draftState, typeOf } from '../drafts/draft-state.js';
import { linkRows } from '../link-rows.js';
import { documentLocale, notLocalized } from '../access/entry-locale.js';
import { authorizeChange, assertVersion, siteOf } from '../access/entry-rights.js';
import { entryEvent, changedParts, presentEntry } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { titleOf } from '../drafts/entry-slug.js';
import { withStoredSlug } from '../drafts/new-entry.js';
import { SlugRepository } from '../drafts/slug.repository.js';
import {
  fieldsOf,
  localeOf,
  localizedOf,
  valuesOf,
  withLocale,
  type StoredEntry,
  type StoredLocale,
} from '../stored-entry.js';
import { saveContent } from '../workflow/save-content.js';

type Input = InputOf<typeof entries.copyLocale>;

function resolveSource(catalog: Catalog, entry: StoredEntry, { fromLocale, toLocale }: Input): StoredLocale {
  const site = siteOf(catalog, entry);
  assertLocale(catalog, site, { locale: fromLocale, path: ['fromLocale'] });
  assertLocale(catalog, site, { locale: toLocale, path: ['toLocale'] });
  if (fromLocale === toLocale)
    throw invalidInput({
      path: ['toLocale'],
      code: 'same_locale',
      message: 'fromLocale and toLocale must differ.',
    });
  const source = localeOf(entry, fromLocale);
  if (source !== undefined) return source;
  const message = `The entry has no draft in ${fromLocale}.`;
  throw invalidInput({ path: ['fromLocale'], code: 'no_draft', message });
}

/** Fills gaps, or replaces values with `overwrite`; in blocks of lists that all locales share, too. */
function copyValues(
  type: ContentTypeDefinition,
  { source, target }: { source: FieldValues; target: FieldValues },
  { fields: names = [], overwrite }: Input,
): FieldValues {
  const unknown = names.find((name) => !type.fields.some(({ apiName }) => apiName === name));
  if (unknown !== undefined) throw new AppError('field_not_found', { path: ['fields'], field: unknown });
  const wanted = type.fields.filter(({ apiName }) => names.length === 0 || names.includes(apiName));
  const own = wanted
    .filter(({ localized }) => localized)
    .map(({ apiName }) => apiName)
    .filter((name) => source[name] !== undefined && (overwrite || target[name] === undefined));
  const ofBlocks = blockFieldsOf({ fields: wanted }).filter(
    ({ localized, apiName }) => !localized && source[apiName] !== undefined,
  );
  return {
    ...target,
    ...Object.fromEntries(own.map((name) => [name, source[name]])),
    ...Object.fromEntries(
      ofBlocks.map(({ apiName }) => [apiName, mergeOverlays(source[apiName], target[apiName], overwrite)]),
    ),
  };
}

/** An existing locale keeps its slug; a new one takes the source's, numbered if taken. */
function targetSlug(
  work: UnitOfWork,
  entry: StoredEntry,
  { source, toLocale }: { source: StoredLocale; toLocale: string },
): Promise<string> {
  const known = localeOf(entry, toLocale)?.slug;
  const { id: entryId, siteId, contentTypeId, place } = entry;
  const scope = { siteId, contentTypeId, locale: toLocale, entryId, place };
  return known === undefined
    ? work.use(SlugRepository).firstFree(source.slug, scope)
    : Promise.resolve(known);
}

export async function copyEntryLocale(work: UnitOfWork, input: Input): Promise<{ data: Entry }> {
  const { toLocale: locale } = input;
  const catalog = await work.use(CatalogRepository).current();
  const entries = work.use(EntryRepository);
  const before = await entries.lock(input.id, [input.fromLocale, locale]);
  await authorizeChange(work, before, { catalog, action: 'update', ...anyValue });
  const own = documentLocale(catalog, before);
  if (own !== undefined) throw notLocalized(own, { locale, path: ['toLocale'] });
  const source = resolveSource(catalog, before, input);
  assertVersion(before, input.version);
  const type = typeOf(catalog, before);
  const known = localeOf(before, locale);
  const target = localizedOf(before, locale);
  const fields = copyValues(type, { source: fieldsOf(source), target }, input);
  const copied = composeValues(before.sharedFields, fields);
  const changed = changedPaths(valuesOf(before, locale), copied);
  const changedFields = [...changed, ...(known === undefined ? ['_slug'] : [])];
  const was = presentEntry(before, locale, catalog);
  if (changedFields.length === 0) return { data: was };
  await authorizeChange(work, before, {
    catalog,
    action: 'update',
    locales: [locale],
    fields: [...new Set(changedFields.map(rootOf))],
  });
  const slug = await targetSlug(work, before, { source, toLocale: locale });
  const followed = known === undefined ? followSlug(type, copied, [source.slug, slug]) : copied;
  const merged = { catalog, type, locale, values: followed, slug };
  const { values } = withStoredSlug(before, merged);
  const { localized } = splitValues(catalog, type, values);
  const stored = [...new Set([...changedFields, ...changedPaths(copied, values)])];
  const draft = { locale, slug, title: titleOf(type, values, slug), fields: localized, updatedAt: work.now };
  const next = { version: before.version + 1, updatedAt: work.now, updatedBy: work.scope.actor };
  const after = await saveContent(work, catalog, {
    entry: { ...withLocale(before, draftState(known, draft)), ...next },
    locales: [locale],
    changeType: 'copy_locale',
    changedFields: stored,
    comment: null,
    links: linkRows(catalog, type, { values, locale }),
  });
  const data = presentEntry(after, locale, catalog);
  entries.note({ action: 'entry.copy_locale', entry: after, locale, ...changedParts(was, data) });
  work.emit(entryEvent('updated', data, stored));
  return { data };
}

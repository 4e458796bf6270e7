import { isOwnBlock } from '../../../../content/model/own-block.js';
import { changedPaths, rootOf } from '../../../../content/blocks/changed-paths.js';
import { splitValues } from '../../../../content/blocks/stored-values.js';
import { blockFieldsOf, blockItems, mapParts } from '../../../../content/blocks/value-parts.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import { isEqualJson } from '../../../../content/exact-json/canonical-json.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { authorizeChange } from '../access/entry-rights.js';
import { draftState, linksOfLocales, typeOf } from '../drafts/draft-state.js';
import { titleOf } from '../drafts/entry-slug.js';
import { changedParts, entryEvent, presentEntry, shownLocale } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { fieldsOf, localeOf, valuesOf, withLocale, type StoredEntry } from '../stored-entry.js';
import { saveContent } from '../workflow/save-content.js';
import type { Entry } from '../../../../../contracts/entries/entries/entry.js';

/** A locale of an entry with its values, blocks in their places. */
export interface LocaleValues {
  readonly locale: string;
  readonly values: FieldValues;
}

export const localesOf = (entry: StoredEntry): LocaleValues[] =>
  entry.locales.map(({ locale }) => ({ locale, values: valuesOf(entry, locale) }));

const refOf = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && '_ref' in item ? item._ref : undefined;

/** Items of blocks fields with an id, on every level, and whether they are own blocks. */
export function itemsWith(
  catalog: Catalog,
  type: ContentTypeDefinition,
  { values, id }: { readonly values: FieldValues; readonly id: string },
): { readonly isOwn: boolean }[] {
  const found: { isOwn: boolean }[] = [];
  mapItems(catalog, { type, values }, (item) => {
    if (refOf(item) === id) found.push({ isOwn: isOwnBlock(item) });
    return item;
  });
  return found;
}

/** Replaces items of blocks fields on every level, from the outside in. */
export const mapItems = (
  catalog: Catalog,
  given: { readonly type: ContentTypeDefinition; readonly values: FieldValues },
  map: (item: unknown) => unknown,
): FieldValues =>
  mapParts(catalog, given, (part) => {
    const next: Record<string, unknown> = { ...part.values };
    for (const field of blockFieldsOf(part.type))
      if (Array.isArray(next[field.apiName])) next[field.apiName] = blockItems(next, field).map(map);
    return next;
  });

export const isItem = (item: unknown, id: string): boolean => refOf(item) === id;

interface Rewriting {
  readonly catalog: Catalog;
  readonly entry: StoredEntry;
  /** Of every locale of the entry. */
  readonly values: readonly LocaleValues[];
}

/** The entry at its next version, with new values in all its locales. */
function rewrite(
  { now, scope }: UnitOfWork,
  { catalog, entry, values }: Rewriting,
): { readonly after: StoredEntry; readonly written: readonly string[] } {
  const type = typeOf(catalog, entry);
  const next = { version: entry.version + 1, updatedAt: now, updatedBy: scope.actor };
  const written: string[] = [];
  let after: StoredEntry = { ...entry, ...next };
  for (const { locale, values: own } of values) {
    const { localized, shared } = splitValues(catalog, type, own);
    const known = localeOf(entry, locale);
    after = { ...after, sharedFields: shared };
    if (known === undefined || isEqualJson(fieldsOf(known), localized)) continue;
    written.push(locale);
    const { slug } = known;
    const draft = { locale, slug, title: titleOf(type, own, slug), fields: localized, updatedAt: now };
    after = withLocale(after, draftState(known, draft));
  }
  return { after, written: written.length > 0 ? written : [shownLocale(entry, catalog)] };
}

/**
 * Writes new values of an entry that has them in all its locales, with version, record and event.
 * @throws AppError 403 `permission_denied`
 */
export async function saveRewritten(
  work: UnitOfWork,
  given: Rewriting & { readonly shown: string },
): Promise<Entry> {
  const { catalog, entry: before, shown } = given;
  const { after: entry, written: locales } = rewrite(work, given);
  const changedFields = [
    ...new Set(given.values.flatMap((is) => changedPaths(valuesOf(before, is.locale), is.values))),
  ];
  const isShared = !isEqualJson(before.sharedFields, entry.sharedFields);
  const fields = [...new Set(changedFields.map(rootOf))];
  const target = { catalog, action: 'update' as const, fields };
  await authorizeChange(work, before, { ...target, locales: [...locales, ...(isShared ? [null] : [])] });
  const links = linksOfLocales(catalog, entry, locales);
  const content = { entry, locales, changeType: 'update' as const, changedFields, comment: null, links };
  const after = await saveContent(work, catalog, content);
  const data = presentEntry(after, shown, catalog);
  const parts = changedParts(presentEntry(before, shown, catalog), data);
  work.use(EntryRepository).note({ action: 'entry.update', entry: after, locale: shown, ...parts });
  work.emit(entryEvent('updated', data, changedFields));
  return data;
}

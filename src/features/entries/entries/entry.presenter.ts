import type { Entry } from '../../../../contracts/entries/entries/entry.js';
import { changesIn } from '../../../content/blocks/changed-paths.js';
import { withGroups, mapParts } from '../../../content/blocks/value-parts.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import type { Catalog, ContentTypeDefinition } from '../../../content/catalog.js';
import { statusOf } from '../../../content/entry-state.js';
import { stateIn } from '../../../content/workflow/workflow-definition.js';
import type { Snapshot, OutboxEvent } from '../../../persistence/work/unit-of-work.js';
import { localeOf, valuesOf, type StoredEntry } from './stored-entry.js';

/** Without values, which need not be read. */
export type EntryState = Omit<Entry, 'fields'>;

function orderFields(entry: StoredEntry, locale: string, catalog: Catalog): Record<string, unknown> {
  const type = catalog.contentTypeById(entry.contentTypeId);
  return type === undefined ? {} : withGroups(catalog, type, inOrder(catalog, type, valuesOf(entry, locale)));
}

/** Values in the order of fields, in blocks too. */
const inOrder = (
  catalog: Catalog,
  type: ContentTypeDefinition,
  values: FieldValues,
): Record<string, unknown> =>
  mapParts(catalog, { type, values }, ({ type: { fields }, values: own }) =>
    Object.fromEntries(
      fields
        .filter(({ apiName }) => Object.hasOwn(own, apiName))
        .map(({ apiName }) => [apiName, own[apiName]]),
    ),
  );

/** The site's default locale if written, else the first written one. */
export function shownLocale(entry: StoredEntry, catalog: Catalog): string {
  const code = catalog.site(entry.siteId)?.defaultLocale;
  const isWritten = code !== undefined && localeOf(entry, code) !== undefined;
  return isWritten ? code : (entry.locales[0]?.locale ?? code ?? '');
}

/** Identifies an entry in a record of something that did not change its content. */
export function brief(entry: EntryState): Snapshot {
  const { id, contentTypeApiName, siteId, locale, slug, version, status, deletedAt } = entry;
  return { id, contentTypeApiName, siteId, locale, slug, version, status, deletedAt };
}

/**
 * What a record says of a changed entry: of its values those that differ, by path. Its versions have the others.
 */
export function changedParts(was: Entry, is: Entry): Record<'before' | 'after', Snapshot> {
  const changes = changesIn(was.fields, is.fields);
  const changed = ({ fields: _fields, ...state }: Entry, side: 'from' | 'to') => ({
    ...state,
    fields: Object.fromEntries(
      changes.filter((change) => change[side] !== undefined).map((change) => [change.path, change[side]]),
    ),
  });
  return { before: changed(was, 'from'), after: changed(is, 'to') };
}

/** Management view of one locale's draft. An unwritten locale shows only shared values. */
export const presentEntry = (entry: StoredEntry, locale: string, catalog: Catalog): Entry =>
  present(entry, { locale, catalog, fields: orderFields(entry, locale, catalog) });

/** As {@link presentEntry}, of an entry without values. */
export const presentState = (entry: StoredEntry, locale: string, catalog: Catalog): EntryState =>
  present(entry, { locale, catalog, fields: {} });

function present(
  entry: StoredEntry,
  { locale, catalog, fields }: { locale: string; catalog: Catalog; fields: Entry['fields'] },
): Entry {
  const shown = localeOf(entry, locale);
  const workflow = catalog.workflowOf(entry);
  return {
    id: entry.id,
    contentTypeApiName: catalog.contentTypeById(entry.contentTypeId)?.apiName ?? '',
    siteId: entry.siteId,
    environment: catalog.data.environment.slug,
    externalId: entry.externalId,
    slug: (shown ?? localeOf(entry, shownLocale(entry, catalog)))?.slug ?? entry.id,
    locale,
    fields,
    version: entry.version,
    status: shown === undefined ? 'draft' : statusOf(shown, entry.sharedHash),
    locales: entry.locales.map((state) => ({
      locale: state.locale,
      slug: state.slug,
      status: statusOf(state, entry.sharedHash),
      publishedAt: state.publishedAt?.toISOString() ?? null,
      publishedVersion: state.publishedVersion,
      updatedAt: state.updatedAt.toISOString(),
      scheduled: [...(state.scheduled ?? [])],
    })),
    treeNodeId: entry.place?.nodeId ?? null,
    treeParentId: entry.place?.parentId ?? null,
    workflow:
      workflow === undefined
        ? null
        : { slug: workflow.slug, state: stateIn(workflow, entry.locales, locale) },
    assigneeId: (shown ?? localeOf(entry, shownLocale(entry, catalog)))?.assigneeId ?? null,
    createdAt: entry.createdAt.toISOString(),
    createdBy: entry.createdBy,
    updatedAt: entry.updatedAt.toISOString(),
    updatedBy: entry.updatedBy,
    deletedAt: entry.deletedAt?.toISOString() ?? null,
  };
}

/** Event about one locale of an entry (rule events/webhooks). */
export function entryEvent(
  verb: 'created' | 'updated' | 'published' | 'unpublished' | 'deleted' | 'restored' | 'moved',
  entry: EntryState,
  changedFields: readonly string[] = [],
): OutboxEvent {
  const { id, contentTypeApiName, siteId, locale, slug, version, status } = entry;
  return {
    type: `entry.${verb}`,
    data: { entryId: id, contentTypeApiName, siteId, locale, slug, version, status, changedFields },
  };
}

import type { ContentTypeDefinition } from '../../../content/catalog.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { EntryPlace } from '../../tree/index.js';
import type { StoredEntry } from '../stored-entry.js';
import { splitValues } from './draft-values.js';
import { titleOf } from './entry-slug.js';

/** An explicit null overrides a default. */
export function withDefaults(type: ContentTypeDefinition, given: FieldValues): FieldValues {
  const defaults = type.fields.filter(
    ({ defaultValue }) => defaultValue !== null && defaultValue !== undefined,
  );
  return {
    ...Object.fromEntries(defaults.map(({ apiName, defaultValue }) => [apiName, defaultValue])),
    ...given,
  };
}

export interface NewDraft {
  readonly id: string;
  readonly type: ContentTypeDefinition;
  readonly siteId: string;
  readonly locale: string;
  readonly place: EntryPlace | null;
  readonly values: FieldValues;
  readonly slug: string;
  readonly externalId?: string | null | undefined;
}

/** At version 1 with one locale. */
export function newEntry(
  { now, scope }: UnitOfWork,
  { id, type, siteId, locale, place, values, slug, externalId = null }: NewDraft,
): StoredEntry {
  const { localized, shared } = splitValues(type, values);
  const marks = { contentHash: '', publishedContentHash: null, publishedSharedHash: null };
  const publication = { publishedVersion: null, publishedAt: null, firstPublishedAt: null };
  const title = titleOf(type, values, slug);
  return {
    id,
    contentTypeId: type.id,
    siteId,
    version: 1,
    externalId,
    sharedFields: shared,
    sharedHash: '',
    createdAt: now,
    createdBy: scope.actor,
    updatedAt: now,
    updatedBy: scope.actor,
    deletedAt: null,
    place,
    isHome: false,
    locales: [{ locale, slug, title, fields: localized, updatedAt: now, ...marks, ...publication }],
  };
}

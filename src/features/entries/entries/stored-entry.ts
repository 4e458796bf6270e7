import type { Actor } from '../../../../contracts/actor.js';
import type { PendingSchedule } from '../../../../contracts/entries/schedules/schedule.js';
import type { LocaleMarks } from '../../../content/entry-state.js';
import type { EntryPlace } from '../../routing/tree/index.js';
import { composeValues } from '../../../content/blocks/stored-values.js';
import type { FieldValues } from '../../../content/validate-fields.js';

/** One locale's draft and publication state. */
export interface StoredLocale extends LocaleMarks {
  readonly locale: string;
  readonly slug: string;
  readonly title: string;
  /** Localized values; cleared ones are absent. Null where they were not read. */
  readonly fields: FieldValues | null;
  /** Of the values, compressed; absent in a new locale. */
  readonly storedBytes?: number;
  readonly publishedVersion: number | null;
  readonly publishedAt: Date | null;
  readonly firstPublishedAt: Date | null;
  readonly updatedAt: Date;
  /** Null is the base state of the workflow; absent in a new locale. */
  readonly workflowState?: string | null;
  readonly assigneeId?: string | null;
  readonly dueAt?: Date | null;
  /** Pending jobs, soonest first; absent in a new locale. */
  readonly scheduled?: readonly PendingSchedule[];
}

export interface StoredEntry {
  readonly id: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly version: number;
  /** Of another system. */
  readonly externalId: string | null;
  /** Values shared by all locales. */
  readonly sharedFields: FieldValues;
  readonly sharedHash: string;
  readonly createdAt: Date;
  readonly createdBy: Actor;
  readonly updatedAt: Date;
  readonly updatedBy: Actor;
  readonly deletedAt: Date | null;
  /** Null outside all trees. */
  readonly place: EntryPlace | null;
  /** Whether it is its site's home. */
  readonly isHome: boolean;
  readonly locales: readonly StoredLocale[];
}

/** Whether any locale is published. */
export const isLive = ({ locales }: StoredEntry): boolean =>
  locales.some(({ publishedContentHash }) => publishedContentHash !== null);

export function localeOf(entry: StoredEntry, code: string): StoredLocale | undefined {
  return entry.locales.find(({ locale }) => locale === code);
}

/** Localized values of a state that was read with them. */
export function fieldsOf({ locale, fields }: StoredLocale): FieldValues {
  if (fields === null) throw new Error(`The values in ${locale} were not read`);
  return fields;
}

/** Localized values; none where the locale is not written. */
export function localizedOf(entry: StoredEntry, code: string): FieldValues {
  const state = localeOf(entry, code);
  return state === undefined ? {} : fieldsOf(state);
}

/** Shared and localized draft values of a locale, blocks in their places. */
export const valuesOf = (entry: StoredEntry, locale: string): FieldValues =>
  composeValues(entry.sharedFields, localizedOf(entry, locale));

export function withLocale(entry: StoredEntry, locale: StoredLocale): StoredEntry {
  const isKnown = entry.locales.some((known) => known.locale === locale.locale);
  const locales = isKnown
    ? entry.locales.map((known) => (known.locale === locale.locale ? locale : known))
    : [...entry.locales, locale];
  return { ...entry, locales };
}

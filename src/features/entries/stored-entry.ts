import type { Actor } from '../../../contracts/resources/actor.js';
import type { PendingSchedule } from '../../../contracts/resources/schedule.js';
import type { LocaleMarks } from '../../content/entry-state.js';
import type { EntryPlace } from '../tree/index.js';
import type { FieldValues } from '../../content/validate-fields.js';

/** The draft of one locale and what is known of its publication. */
export interface StoredLocale extends LocaleMarks {
  readonly locale: string;
  readonly slug: string;
  readonly title: string;
  /** Values of localized fields, as written; cleared ones are absent. */
  readonly fields: FieldValues;
  readonly publishedVersion: number | null;
  readonly publishedAt: Date | null;
  readonly firstPublishedAt: Date | null;
  readonly updatedAt: Date;
  /** What waits for its time, soonest first; absent in a locale that is being written for the first time. */
  readonly scheduled?: readonly PendingSchedule[];
}

/** An entry of the write model with all its locales. */
export interface StoredEntry {
  readonly id: string;
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly version: number;
  /** Values of fields that are the same in every locale. */
  readonly sharedFields: FieldValues;
  readonly sharedHash: string;
  readonly createdAt: Date;
  readonly createdBy: Actor;
  readonly updatedAt: Date;
  readonly updatedBy: Actor;
  readonly deletedAt: Date | null;
  /** Where it stands in a tree; null outside every one. */
  readonly place: EntryPlace | null;
  /** Whether it answers `/` of its site. */
  readonly isHome: boolean;
  /** In order of creation. */
  readonly locales: readonly StoredLocale[];
}

/** Whether anything of the entry can be read by the public. */
export const isLive = ({ locales }: StoredEntry): boolean =>
  locales.some(({ publishedContentHash }) => publishedContentHash !== null);

/** The locale of an entry, if it has been written. */
export function localeOf(entry: StoredEntry, code: string): StoredLocale | undefined {
  return entry.locales.find(({ locale }) => locale === code);
}

/** The entry with one locale put in the place of its former state, or added. */
export function withLocale(entry: StoredEntry, locale: StoredLocale): StoredEntry {
  const isKnown = entry.locales.some((known) => known.locale === locale.locale);
  const locales = isKnown
    ? entry.locales.map((known) => (known.locale === locale.locale ? locale : known))
    : [...entry.locales, locale];
  return { ...entry, locales };
}

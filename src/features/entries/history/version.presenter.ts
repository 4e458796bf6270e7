import type { EntrySnapshot, EntryVersion } from '../../../../contracts/resources/entry-version.js';
import { snapshotValues, type Snapshot, type StoredVersion } from '../history.repository.js';

export function presentVersion({ locales, publications, ...version }: StoredVersion): EntryVersion {
  return {
    ...version,
    createdAt: version.createdAt.toISOString(),
    locale: locales.length === 1 ? (locales[0] ?? null) : null,
    locales: [...locales],
    changedFields: [...version.changedFields],
    publications: publications.map(({ at, ...publication }) => ({
      ...publication,
      at: new Date(at).toISOString(),
    })),
  };
}

export function presentSnapshot(
  version: StoredVersion,
  snapshot: Snapshot,
  defaultLocale: string,
): EntrySnapshot {
  const { locales } = snapshot;
  const shown = locales.find(({ locale }) => locale === defaultLocale) ?? locales[0];
  return {
    ...presentVersion(version),
    snapshot: {
      slug: shown?.slug ?? '',
      slugs: Object.fromEntries(locales.map(({ locale, slug }) => [locale, slug])),
      fields: Object.fromEntries(locales.map(({ locale }) => [locale, snapshotValues(snapshot, locale)])),
    },
  };
}

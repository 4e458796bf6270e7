import { AppError } from '../../../../../contracts/errors.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type {
  VersionDiff,
  EntrySnapshot,
  EntryVersion,
} from '../../../../../contracts/entries/entries/entry-version.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { changesIn } from '../../../../content/blocks/changed-paths.js';
import { noValues } from '../anchored-values.js';
import { EntryRepository } from '../entry.repository.js';
import {
  HistoryRepository,
  type Snapshot,
  snapshotValues,
  type StoredVersion,
} from '../history.repository.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { siteOf } from '../access/entry-rights.js';
import type { ListMeta } from '../../../../../contracts/envelopes.js';
import { openPage } from '../../../shared/cursor/list-page.js';

type Change = VersionDiff['changes'][number];

function changesOf(locale: string | null, from: FieldValues, to: FieldValues): Change[] {
  return changesIn(from, to).map((change) => ({
    locale,
    field: change.path,
    from: change.from ?? null,
    to: change.to ?? null,
  }));
}

function ownValues({ locales }: Snapshot, code: string): FieldValues {
  const state = locales.find(({ locale }) => locale === code);
  return state === undefined ? {} : { _slug: state.slug, ...state.fields };
}

/** Shared values first, then each locale. */
export async function diffEntryVersions(
  work: UnitOfWork,
  input: InputOf<typeof entries.diffVersions>,
): Promise<{ data: VersionDiff }> {
  const entry = await work.use(EntryRepository).find(input.id, noValues, input.deleted);
  const { from, to = entry.version } = input;
  const history = work.use(HistoryRepository);
  const [before, after] = [await history.snapshotAt(entry.id, from), await history.snapshotAt(entry.id, to)];
  if (before === undefined) throw new AppError('version_not_found', { path: ['from'] });
  if (after === undefined) throw new AppError('version_not_found', { path: ['to'] });
  const codes = [...new Set([...before.locales, ...after.locales].map(({ locale }) => locale))];
  const changes = [
    ...changesOf(null, before.shared, after.shared),
    ...codes.flatMap((code) => changesOf(code, ownValues(before, code), ownValues(after, code))),
  ];
  return { data: { from, to, changes } };
}

/** 0, which no version has, if the number is none of a version: the database would reject a larger one. */
export const versionNumOf = (number: number): number => (number >= 1 && number <= 2_147_483_647 ? number : 0);

function presentVersion({ locales, publications, ...version }: StoredVersion): EntryVersion {
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

function presentSnapshot(version: StoredVersion, snapshot: Snapshot, defaultLocale: string): EntrySnapshot {
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

export async function getEntryVersion(
  work: UnitOfWork,
  input: InputOf<typeof entries.getVersion>,
): Promise<{ data: EntrySnapshot }> {
  const catalog = await work.use(CatalogRepository).current();
  const entry = await work.use(EntryRepository).find(input.id, noValues, input.deleted);
  const history = work.use(HistoryRepository);
  const versionNum = versionNumOf(input.versionNum);
  const version = await history.find(entry.id, versionNum);
  const snapshot = version && (await history.snapshotAt(entry.id, versionNum));
  if (version === undefined || snapshot === undefined) throw new AppError('version_not_found');
  return { data: presentSnapshot(version, snapshot, siteOf(catalog, entry).defaultLocale) };
}

export async function listEntryVersions(
  work: UnitOfWork,
  input: InputOf<typeof entries.listVersions>,
): Promise<{ data: EntryVersion[]; meta: ListMeta }> {
  const { id } = await work.use(EntryRepository).find(input.id, noValues, input.deleted);
  const page = openPage(input, { name: 'versions', scope: work.scope });
  const isAscending = input.orderBy === 'createdAt:asc';
  const found = await work.use(HistoryRepository).list(id, { isAscending, ...page.window });
  return page.envelope({ ...found, items: found.items.map(presentVersion) });
}

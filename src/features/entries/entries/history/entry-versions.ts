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
import { changesIn, type PathChange } from '../../../../content/blocks/changed-paths.js';
import { localizedChangesInBlocks } from '../../../../content/blocks/block-changes.js';
import { withGroups } from '../../../../content/blocks/value-parts.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
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
import { typeOf } from '../drafts/draft-state.js';
import type { StoredEntry } from '../stored-entry.js';
import type { ListMeta } from '../../../../../contracts/envelopes.js';
import { openPage } from '../../../shared/cursor/list-page.js';

type Change = VersionDiff['changes'][number];

const presentChange = (locale: string | null, { path, from, to }: PathChange): Change => ({
  locale,
  field: path,
  from: from ?? null,
  to: to ?? null,
});

/** Values of a locale, without those of blocks in lists that all locales share. */
function ownValues({ shared, locales }: Snapshot, code: string): FieldValues {
  const state = locales.find(({ locale }) => locale === code);
  if (state === undefined) return {};
  const own = Object.entries(state.fields).filter(([name]) => !Array.isArray(shared[name]));
  return { _slug: state.slug, ...Object.fromEntries(own) };
}

interface Compared {
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
  readonly before: Snapshot;
  readonly after: Snapshot;
}

const changesInLocale = ({ catalog, type, before, after }: Compared, code: string): PathChange[] => [
  ...changesIn(ownValues(before, code), ownValues(after, code)),
  ...localizedChangesInBlocks(catalog, type, {
    before: snapshotValues(before, code),
    after: snapshotValues(after, code),
  }),
];

/** Shared values first, then each locale. */
export async function diffEntryVersions(
  work: UnitOfWork,
  input: InputOf<typeof entries.diffVersions>,
): Promise<{ data: VersionDiff }> {
  const catalog = await work.use(CatalogRepository).current();
  const entry = await work.use(EntryRepository).find(input.id, noValues, input.deleted);
  const { from, to = entry.version } = input;
  const history = work.use(HistoryRepository);
  const [before, after] = [await history.snapshotAt(entry.id, from), await history.snapshotAt(entry.id, to)];
  if (before === undefined) throw new AppError('version_not_found', { path: ['from'] });
  if (after === undefined) throw new AppError('version_not_found', { path: ['to'] });
  const codes = [...new Set([...before.locales, ...after.locales].map(({ locale }) => locale))];
  const compared = { catalog, type: typeOf(catalog, entry), before, after };
  const changes = [
    ...changesIn(before.shared, after.shared).map((change) => presentChange(null, change)),
    ...codes.flatMap((code) => changesInLocale(compared, code).map((change) => presentChange(code, change))),
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

function presentSnapshot(
  version: StoredVersion,
  snapshot: Snapshot,
  { catalog, entry }: { readonly catalog: Catalog; readonly entry: StoredEntry },
): EntrySnapshot {
  const { locales } = snapshot;
  const { defaultLocale } = siteOf(catalog, entry);
  const shown = locales.find(({ locale }) => locale === defaultLocale) ?? locales[0];
  const valuesIn = (locale: string) =>
    withGroups(catalog, typeOf(catalog, entry), snapshotValues(snapshot, locale));
  return {
    ...presentVersion(version),
    snapshot: {
      slug: shown?.slug ?? '',
      slugs: Object.fromEntries(locales.map(({ locale, slug }) => [locale, slug])),
      fields: Object.fromEntries(locales.map(({ locale }) => [locale, valuesIn(locale)])),
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
  return { data: presentSnapshot(version, snapshot, { catalog, entry }) };
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

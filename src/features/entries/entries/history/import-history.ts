import type { Actor } from '../../../../../contracts/actor.js';
import { EntrySnapshot } from '../../../../../contracts/entries/entries/entry-version.js';
import { AppError, invalidInput, type InputIssue } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import { EntrySlug, Name } from '../../../../../contracts/primitives.js';
import { refusal } from '../../../../access/authorize.js';
import { mayImport } from '../../../../access/grants.js';
import { composeValues, splitFormerValues } from '../../../../content/blocks/stored-values.js';
import { withoutGroups } from '../../../../content/blocks/value-parts.js';
import type { Catalog } from '../../../../content/catalog.js';
import { statusOf } from '../../../../content/entry-state.js';
import { isEqualJson } from '../../../../content/exact-json/canonical-json.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { authorizeEntry, entryPaths, entryTargetAt, factProblem } from '../access/entry-rights.js';
import { typeOf } from '../drafts/draft-state.js';
import { shownLocale } from '../entry.presenter.js';
import { EntryRepository } from '../entry.repository.js';
import { HistoryRepository } from '../history.repository.js';
import { fieldsOf, type StoredEntry } from '../stored-entry.js';
import {
  ImportedVersionRepository,
  PLACEHOLDER,
  type PublicationRow,
  type VersionRow,
} from './imported-version.repository.js';

interface SourceHistory {
  readonly id: string;
  readonly latest: number;
  readonly published: Readonly<Record<string, number>>;
  readonly versions: readonly Readonly<Record<string, unknown>>[];
}

/** Names of changed fields, with the paths of those in blocks. */
const isPath = (name: string): boolean => name !== PLACEHOLDER && name.length <= limits.textPathLength;

/** The author has the name and no id: users of the source are not those of the service. */
const authorOf = ({ type, name }: Actor): Actor => ({ type, id: null, name });

/** Only their form is checked: fields may have been deleted since. @throws AppError 422 `validation_failed` */
function versionsOf(work: UnitOfWork, { latest, versions: given }: SourceHistory): EntrySnapshot[] {
  const issues: InputIssue[] = [];
  const { data: versions = [], error } = EntrySnapshot.array().safeParse(given);
  for (const { path, message } of error?.issues ?? [])
    issues.push({
      path: ['versions', ...path.map((part) => (typeof part === 'symbol' ? '' : part))],
      code: 'invalid_value',
      message,
    });
  for (const [index, version] of versions.entries()) {
    const { versionNum, createdAt, createdBy, comment, changedFields, publications, snapshot } = version;
    const refuse = (path: InputIssue['path'], isWrong: boolean): void => {
      const message = 'Send the version as the source returns it, oldest first.';
      if (isWrong) issues.push({ path: ['versions', index, ...path], code: 'invalid_value', message });
    };
    const refuseEvent = (path: InputIssue['path'], at: string, [by, note]: [Actor, string | null]): void => {
      const problem = factProblem(work, at);
      if (problem !== undefined) issues.push({ path: ['versions', index, ...path], ...problem });
      refuse(path, !Name.safeParse(by.name).success || (note?.length ?? 0) > limits.commentLength);
    };
    const previous = versions[index - 1]?.versionNum ?? 0;
    refuse(['versionNum'], versionNum <= previous || versionNum > latest);
    refuseEvent(['createdAt'], createdAt, [createdBy, comment]);
    refuse(['changedFields'], !changedFields.every(isPath));
    for (const [place, { at, by, comment: note }] of publications.entries())
      refuseEvent(['publications', place], at, [by, note]);
    for (const [locale, slug] of Object.entries(snapshot.slugs))
      refuse(['snapshot', 'slugs', locale], !EntrySlug.safeParse(slug).success);
  }
  if (issues.length > 0) throw invalidInput(...issues);
  return versions;
}

/** @throws AppError 403 `permission_denied` */
async function authorizeHistory(work: UnitOfWork, catalog: Catalog, entry: StoredEntry): Promise<void> {
  const paths = await entryPaths(work, 'update', [entry.id]);
  const locales = [null, ...entry.locales.map(({ locale }) => locale)];
  authorizeEntry(work, entry, { catalog, action: 'update', paths, locales });
  if (mayImport(work.scope, entryTargetAt(work, entry, paths))) return;
  const { code, details } = refusal(work, 'entries.import');
  throw new AppError(code, { ...(details as object), path: ['versions'] });
}

/** The numbers of the published versions by locale. @throws AppError 422 `validation_failed` */
function publishedNumbers(entry: StoredEntry, { latest, published }: SourceHistory): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const state of entry.locales.filter(({ publishedVersion }) => publishedVersion !== null)) {
    const { locale } = state;
    const number = Object.hasOwn(published, locale) ? published[locale] : undefined;
    const isLatest = statusOf(state, entry.sharedHash) === 'published';
    if (number === undefined || number > latest || (number === latest && !isLatest)) {
      const message = 'The locale is published. Send the number of its published version in the source.';
      throw invalidInput({ path: ['published', locale], code: 'invalid_value', message });
    }
    numbers.set(locale, number);
  }
  return numbers;
}

/** Leaves of the versions of an import those that are needed, under the numbers of the source. */
async function makeRoom(work: UnitOfWork, entry: StoredEntry, history: SourceHistory): Promise<void> {
  const versions = work.use(ImportedVersionRepository);
  const { latest } = history;
  const published = publishedNumbers(entry, history);
  const facts = {
    createdAt: work.now,
    createdBy: work.scope.actor,
    changeType: 'import' as const,
    changedFields: [PLACEHOLDER],
    comment: null,
  };
  const rows: VersionRow[] = entry.locales.map((state) => {
    const { locale, slug } = state;
    const fields = fieldsOf(state);
    return { versionNum: latest, locale, slug, fields, shared: entry.sharedFields, ...facts };
  });
  const live = entry.locales.filter(({ locale }) => (published.get(locale) ?? latest) < latest);
  // Of locales that are published with one version, the last publication has the values that all share.
  const sharedOf = new Map<number, FieldValues>();
  const former: VersionRow[] = [];
  for (const { locale, publishedVersion } of live.toSorted(
    (a, b) => (a.publishedVersion ?? 0) - (b.publishedVersion ?? 0),
  )) {
    const versionNum = published.get(locale) ?? latest;
    const found = await work.use(HistoryRepository).snapshotAt(entry.id, publishedVersion ?? 0, locale);
    const [state] = found?.locales ?? [];
    if (found === undefined || state === undefined) throw new Error('A published version does not exist');
    sharedOf.set(versionNum, found.shared);
    former.push({ versionNum, ...state, shared: found.shared, ...facts });
  }
  rows.push(...former.map((row) => ({ ...row, shared: sharedOf.get(row.versionNum) ?? row.shared })));
  const publications = await versions.published(entry.id);
  await versions.remove(entry.id);
  await versions.insert(
    entry.id,
    rows,
    publications.map((one) => ({ ...one, versionNum: published.get(one.locale) ?? latest })),
  );
  await versions.renumber(entry.id, { latest, published });
}

interface LocaleContent {
  readonly slug: string;
  /** Stored values, without those that locales share. */
  readonly fields: FieldValues;
}

/** Makes rows of versions: of each, the locales that it names, and those that read otherwise would have other values. */
class VersionRows {
  readonly rows: VersionRow[] = [];
  readonly publications: PublicationRow[] = [];
  #present = new Map<string, LocaleContent>();

  constructor(
    private readonly work: UnitOfWork,
    private readonly catalog: Catalog,
    private readonly entry: StoredEntry,
  ) {}

  /** Continues after a version that exists. */
  async follow(versionNum: number): Promise<void> {
    const found = await this.work.use(HistoryRepository).snapshotAt(this.entry.id, versionNum);
    this.#present = new Map(found?.locales.map(({ locale, ...content }) => [locale, content]));
  }

  /** @param isKept whether the entry has values of the version */
  async add(version: EntrySnapshot, isKept: boolean): Promise<void> {
    const { versionNum, changeType, comment, changedFields, publications } = version;
    const content = await this.#contentOf(version, isKept);
    const given = [...content.locales];
    const needed = given.filter(
      ([locale, { slug, values }]) =>
        version.locales.includes(locale) ||
        !this.#isPresent(locale, { slug, values, shared: content.shared }),
    );
    const facts = {
      versionNum,
      changeType,
      comment,
      changedFields,
      shared: content.shared,
      createdAt: new Date(version.createdAt),
      createdBy: authorOf(version.createdBy),
    };
    for (const [locale, { slug, fields }] of needed.length > 0 ? needed : given.slice(0, 1)) {
      this.rows.push({ ...facts, locale, slug, fields });
      this.#present.set(locale, { slug, fields });
    }
    for (const { locale, kind, at, by, comment: note } of publications)
      if (content.locales.has(locale))
        this.publications.push({
          versionNum,
          locale,
          kind,
          at: new Date(at),
          by: authorOf(by),
          comment: note,
        });
  }

  #isPresent(
    locale: string,
    { slug, values, shared }: { slug: string; values: FieldValues; shared: FieldValues },
  ): boolean {
    const before = this.#present.get(locale);
    return before?.slug === slug && isEqualJson(composeValues(shared, before.fields), values);
  }

  async #contentOf({ versionNum, snapshot }: EntrySnapshot, isKept: boolean) {
    const type = typeOf(this.catalog, this.entry);
    const locales = new Map<string, LocaleContent & { readonly values: FieldValues }>();
    let shared: FieldValues = {};
    for (const { locale } of this.entry.locales) {
      const slug = Object.hasOwn(snapshot.slugs, locale) ? snapshot.slugs[locale] : undefined;
      const fields = Object.hasOwn(snapshot.fields, locale) ? snapshot.fields[locale] : undefined;
      if (slug === undefined || fields === undefined) continue;
      const values = withoutGroups(this.catalog, type, fields);
      const split = splitFormerValues(this.catalog, type, values);
      ({ shared } = split);
      locales.set(locale, { slug, values, fields: split.localized });
    }
    if (!isKept) return { shared, locales };
    const history = this.work.use(HistoryRepository);
    const kept = await history.snapshotAt(this.entry.id, versionNum);
    const names = (await history.find(this.entry.id, versionNum))?.locales ?? [];
    for (const { locale, slug, fields } of kept?.locales ?? [])
      if (kept !== undefined && names.includes(locale))
        locales.set(locale, { slug, fields, values: composeValues(kept.shared, fields) });
    return { shared: kept?.shared ?? shared, locales };
  }
}

/** @throws AppError 409 `version_conflict` */
function refuseOthers(entry: StoredEntry, latest: number): never {
  throw new AppError(
    'version_conflict',
    { expectedVersion: latest, currentVersion: entry.version },
    'The entry has versions that this import did not write.',
  );
}

/**
 * Replaces the versions that an import of the caller wrote by those of its source (rule entries/import). Versions that
 * exist already stay as they are.
 * @throws AppError 403 `permission_denied`, 409 `version_conflict`, 422 `validation_failed`
 */
export async function importHistory(
  work: UnitOfWork,
  catalog: Catalog,
  history: SourceHistory,
): Promise<StoredEntry> {
  const entries = work.use(EntryRepository);
  const versions = work.use(ImportedVersionRepository);
  const entry = await entries.lock(history.id, 'all');
  await authorizeHistory(work, catalog, entry);
  const given = versionsOf(work, history);
  const { latest } = history;
  const numbers = given.map(({ versionNum }) => versionNum);
  let state = await versions.state(entry.id, numbers, latest);
  const isStarted = state.isOpen || !state.isImported;
  if (!isStarted) {
    if (state.isNamed) refuseOthers(entry, latest);
    await makeRoom(work, entry, history);
    state = await versions.state(entry.id, numbers, latest);
  }
  const missing = given.filter(({ versionNum }) => !state.finished.includes(versionNum));
  const [first] = missing;
  if (first === undefined) return entry;
  const isLater = first.versionNum > (state.newest ?? 0);
  if (!state.isOpen || !isLater || (isStarted && latest > entry.version)) refuseOthers(entry, latest);
  const rows = new VersionRows(work, catalog, entry);
  await rows.follow((await versions.before(entry.id, first.versionNum)) ?? 0);
  for (const version of missing) await rows.add(version, state.placeholders.includes(version.versionNum));
  await versions.remove(entry.id, state.placeholders);
  if (rows.rows.length > 0) await versions.insert(entry.id, rows.rows, rows.publications);
  if (numbers.includes(latest)) await versions.keepTimes(entry.id, latest);
  const after = await entries.find(entry.id, 'all');
  const locale = shownLocale(after, catalog);
  entries.note({
    action: 'entry.import',
    entry: after,
    locale,
    before: { id: entry.id, version: entry.version },
    after: { id: after.id, version: after.version, versions: rows.rows.map(({ versionNum }) => versionNum) },
    isAlong: true,
  });
  return after;
}

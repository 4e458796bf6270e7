import type { Catalog } from '../../../../content/catalog.js';
import { deliverBlocks, deliverFields } from '../../../../content/deliver-fields.js';
import { mediaFieldsOf, mediaOf } from '../../../../content/links.js';
import { storedJson } from '../../../../content/exact-json/stored-json.js';
import { statusOf } from '../../../../content/entry-state.js';
import { Turns } from '../../../../infrastructure/lazy.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { PublishedMediaRepository } from '../../../media/media/index.js';
import { publishedBody } from '../../../shared/published-body.js';
import { EntryTreeRepository } from '../../../routing/tree/index.js';
import { entryEvent, presentState } from '../entry.presenter.js';
import {
  isAdmitted,
  isRefusal,
  lockTargets,
  type Applied,
  type LockedTarget,
  type Outcome,
  type Refusal,
  type TargetGroup,
} from './locale-targets.js';
import { findAlong, type AlongOptions, refusalWith } from './publish-along.js';
import { LinkRepository, type LinkTarget } from '../link.repository.js';
import { PublicationRepository, type Publication } from './publication.repository.js';
import { candidateOf, checkCandidates, type Candidate, type Publishable } from './publish-check.js';
import { cancelPointless } from './unpublish-locales.js';
import { noValues, valuesOfTargets } from '../anchored-values.js';
import { withLocale, type StoredLocale, localeOf, type StoredEntry } from '../stored-entry.js';
import { UniqueValueRepository } from './unique-value.repository.js';
import { EntryRepository } from '../entry.repository.js';
import { awaitedLater } from '../../../../infrastructure/promises.js';

type Locked = LockedTarget | Refusal;

/** Stored bytes of the drafts that are read at once; in memory they are many times as large. */
const READ_AT_ONCE = 500_000;

/** Targets in their order, divided where their drafts are large. */
function partsOf(places: readonly Locked[], { withDependencies }: AlongOptions): Locked[][] {
  // Targets that are published with others are refused with them, so they stay together.
  if (withDependencies) return [[...places]];
  const parts: Locked[][] = [[]];
  let size = 0;
  for (const place of places) {
    const own = isRefusal(place) ? 0 : (localeOf(place.entry, place.locale)?.storedBytes ?? 0);
    if (size > 0 && size + own > READ_AT_ONCE) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(place);
    size += own;
  }
  return parts;
}

/** The targets with their values. Sends no statement if these were read. */
async function readPart(work: UnitOfWork, places: readonly Locked[]): Promise<Locked[]> {
  const admitted = places.filter(isAdmitted);
  const entries = await work.use(EntryRepository).complete(admitted);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return places.map((place) =>
    isRefusal(place) ? place : { ...place, entry: byId.get(place.entry.id) ?? place.entry },
  );
}

const entryStates = (entry: StoredEntry): StoredEntry => ({
  ...entry,
  locales: entry.locales.map((state) => ({ ...state, fields: null })),
});

/** Frees the values for what follows. */
function withoutValues<O extends Applied | Refusal>(outcome: O): O {
  if (isRefusal(outcome)) return outcome;
  return { ...outcome, before: entryStates(outcome.before), after: entryStates(outcome.after) };
}

/** The locale after publication. */
const markOnline = ({ state, entry, content, publishedAt }: Candidate, at: Date): StoredLocale => ({
  ...state,
  publishedContentHash: content?.contentHash ?? state.contentHash,
  publishedSharedHash: content?.sharedHash ?? entry.sharedHash,
  publishedVersion: content?.version ?? entry.version,
  publishedAt: content?.restoredAt ?? publishedAt ?? at,
  firstPublishedAt: state.firstPublishedAt ?? publishedAt ?? at,
});

const unchanged = ({ id, locale, entry }: Candidate): Applied => ({
  id,
  locale,
  before: entry,
  after: entry,
  isChanged: false,
});

/** Notes the assets that the documents show; documents that cannot show any cost nothing. */
function noteMedia(work: UnitOfWork, publishable: readonly Publishable[]): void {
  const showing = publishable
    .filter(({ parts }) => parts.some(({ type }) => mediaFieldsOf(type.fields).length > 0))
    .map(({ entry, state, parts }) => ({
      entryId: entry.id,
      locale: state.locale,
      wasPublished: state.publishedAt !== null,
      named: parts
        .flatMap(({ type, values }) => mediaOf(type.fields, values))
        .map(({ field, id }) => ({ fieldId: field.id, assetId: id })),
    }));
  work
    .use(PublishedMediaRepository)
    .replace(showing.filter(({ wasPublished, named }) => wasPublished || named.length > 0));
}

/** Sources of translations; a site with one locale has none and costs nothing. */
function noteStale(work: UnitOfWork, catalog: Catalog, publishable: readonly Publishable[]): void {
  const sources = publishable.filter(({ entry, state }) => {
    const site = catalog.site(entry.siteId);
    return site !== undefined && site.locales.length > 1 && state.locale === site.defaultLocale;
  });
  const names = new Map(sources.map(({ type }) => [type.id, type.apiName]));
  work.use(PublicationRepository).noteStale(
    sources.map(({ entry }) => entry.id),
    names,
  );
}

/** Characters of documents, which the driver converts in one turn. */
const WRITTEN_AT_ONCE = 250_000;

/**
 * Renders and writes the documents. Large ones need several statements, so that they are never held at once; the last
 * statement, mostly the only one, is not waited for.
 */
async function writeDocuments(
  work: UnitOfWork,
  publishable: readonly Publishable[],
  comment: string | undefined,
): Promise<void> {
  const publications = work.use(PublicationRepository);
  const turns = new Turns();
  let some: Publication[] = [];
  let size = 0;
  for (const { catalog, entry, state, type, values, content, publishedAt } of publishable) {
    await turns.pause();
    if (size > WRITTEN_AT_ONCE) {
      await publications.publish(some, comment);
      some = [];
      size = 0;
    }
    const body = publishedBody(deliverFields(type.fields, values));
    const delivered = deliverBlocks(catalog, type, values);
    const blocks = delivered === null ? null : storedJson(delivered);
    some.push({ entry, state, body, blocks, content, publishedAt });
    size += body.length + (blocks?.length ?? 0);
  }
  if (some.length > 0) void publications.publish(some, comment);
}

async function makeLive(
  work: UnitOfWork,
  catalog: Catalog,
  { publishable, comment }: { publishable: readonly Publishable[]; comment: string | undefined },
): Promise<Applied[]> {
  const claiming = publishable.filter(({ parts }) =>
    parts.some(({ type }) => type.fields.some(({ unique }) => unique)),
  );
  await work.use(UniqueValueRepository).claim(
    claiming.map(({ entry, locale }) => ({ entryId: entry.id, locale })),
    claiming.flatMap(({ claims }) => claims),
  );
  await writeDocuments(work, publishable, comment);
  noteStale(work, catalog, publishable);
  noteMedia(work, publishable);
  await work.use(EntryTreeRepository).refreshPaths(
    publishable.map(({ entry }) => entry),
    publishable.map(({ locale }) => locale),
  );
  return publishable.map((draft) => ({
    ...unchanged(draft),
    after: withLocale(draft.entry, markOnline(draft, work.now)),
    isChanged: true,
  }));
}

export interface Publishing extends TargetGroup, AlongOptions {}

/** Outcomes of the targets in their order, and what was published along with them. */
export interface Published {
  readonly outcomes: readonly Outcome[];
  readonly along: readonly Applied[];
}

const isLive = ({ state, entry, content }: Candidate): boolean =>
  content === undefined
    ? statusOf(state, entry.sharedHash) === 'published'
    : state.publishedContentHash === content.contentHash && state.publishedSharedHash === content.sharedHash;

/** Targets of one locale with what is published along. An entry is published only if everything published along can be. */
async function publishGroup(
  work: UnitOfWork,
  catalog: Catalog,
  group: Pick<Publishing, 'comment'> &
    AlongOptions & {
      readonly places: readonly Locked[];
      readonly found: ReadonlyMap<string, LinkTarget>;
    },
): Promise<Published> {
  const drafts = group.places.map((place) => (isRefusal(place) ? place : candidateOf(catalog, place)));
  const along = await findAlong(work, catalog, { ...group, targets: drafts.filter(isAdmitted) });
  const others = along.places.map((place) => (isRefusal(place) ? place : candidateOf(catalog, place)));
  const candidates = [...drafts, ...others].filter(isAdmitted).filter((draft) => !isLive(draft));
  const checked = await checkCandidates(work, candidates, group.found);
  const refused = new Map(
    [...drafts, ...others, ...checked]
      .filter(isRefusal)
      .map((refusal) => [refusal.id.toLowerCase(), refusal]),
  );
  const failures = drafts.map((draft) => refusalWith(draft.id, refused, along));
  const wanted = new Set(
    drafts.flatMap(({ id }, index) =>
      failures[index] === undefined ? [id.toLowerCase(), ...along.idsOf(id.toLowerCase())] : [],
    ),
  );
  const publishable = checked.filter(isAdmitted).filter(({ entry }) => wanted.has(entry.id));
  const applied = new Map(
    (await makeLive(work, catalog, { publishable, comment: group.comment })).map((one) => [
      one.after.id,
      one,
    ]),
  );
  const outcomes = drafts.map((draft, index) =>
    isRefusal(draft) ? draft : (failures[index] ?? applied.get(draft.entry.id) ?? unchanged(draft)),
  );
  const ownIds = new Set(drafts.map(({ id }) => id.toLowerCase()));
  return { outcomes, along: [...applied.values()].filter(({ after }) => !ownIds.has(after.id)) };
}

/** Frees the values of many drafts for those that follow. */
const statesOf = ({ outcomes, along }: Published): Published => ({
  outcomes: outcomes.map(withoutValues),
  along: along.map(withoutValues),
});

/** With entries that are published along, targets of each locale are published together. */
function groupsOf(places: readonly Locked[], { withDependencies }: AlongOptions): Locked[][] {
  if (!withDependencies) return [[...places]];
  const groups = Map.groupBy(places, (place) => (isRefusal(place) ? '' : place.locale));
  return [...groups.values()];
}

/**
 * Set-based: the number of statements does not depend on the number of entries, only on the size of what is large.
 * Refusals do not affect other entries. The caller writes the audit records. Outcomes of several targets have no values.
 */
export async function publishLocales(
  work: UnitOfWork,
  catalog: Catalog,
  { targets, isJob, override, ...group }: Publishing,
): Promise<Published> {
  const isMany = targets.length > 1;
  const targetsLocked = lockTargets(work, {
    catalog,
    targets,
    // What many drafts say is read part by part.
    values: isMany ? noValues : valuesOfTargets(targets),
    action: 'publish',
    override,
  });
  const linksFound = awaitedLater(work.use(LinkRepository).targetsOf(targets.map(({ id }) => id)));
  const places = await targetsLocked;
  const found = await linksFound;
  const done: Published[] = [];
  const parts = groupsOf(places, group).flatMap((some) => partsOf(some, group));
  for (const part of parts) {
    const read = await readPart(work, part);
    const published = await publishGroup(work, catalog, { ...group, places: read, found });
    done.push(isMany ? statesOf(published) : published);
  }
  const along = done.flatMap((one) => one.along);
  const byId = new Map(done.flatMap(({ outcomes }) => outcomes).map((outcome) => [outcome.id, outcome]));
  const own = targets.flatMap(({ id }) => byId.get(id) ?? []);
  for (const { after, locale } of [...own.filter(isAdmitted), ...along].filter(({ isChanged }) => isChanged))
    work.emit(entryEvent('published', presentState(after, locale, catalog)));
  if (isJob) return { outcomes: own, along };
  const all = await cancelPointless(work, catalog, { outcomes: [...own, ...along], kind: 'publish' });
  return { outcomes: all.slice(0, own.length), along: all.slice(own.length).filter(isAdmitted) };
}

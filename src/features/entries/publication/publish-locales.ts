import type { Catalog } from '../../../content/catalog.js';
import { deliverFields } from '../../../content/deliver-fields.js';
import { mediaFieldsOf, mediaOf } from '../../../content/links.js';
import { statusOf } from '../../../content/entry-state.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { PublishedMediaRepository } from '../../media/index.js';
import { EntryTreeRepository } from '../../tree/index.js';
import { entryEvent } from '../entry.events.js';
import { presentEntry } from '../entry.presenter.js';
import {
  isAdmitted,
  isRefusal,
  lockTargets,
  type Applied,
  type Outcome,
  type TargetGroup,
} from './locale-targets.js';
import { LinkRepository } from '../link.repository.js';
import { PublicationRepository } from './publication.repository.js';
import { candidateOf, checkCandidates, type Candidate, type Publishable } from './publish-check.js';
import { cancelPointless } from './cancel-pointless.js';
import { withLocale, type StoredLocale } from '../stored-entry.js';
import { UniqueValueRepository } from './unique-value.repository.js';

/** The locale after publication. */
const markOnline = ({ state, entry }: Candidate, at: Date): StoredLocale => ({
  ...state,
  publishedContentHash: state.contentHash,
  publishedSharedHash: entry.sharedHash,
  publishedVersion: entry.version,
  publishedAt: at,
  firstPublishedAt: state.firstPublishedAt ?? at,
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
    .filter(({ type }) => mediaFieldsOf(type.fields).length > 0)
    .map(({ entry, state, type, values }) => ({
      entryId: entry.id,
      locale: state.locale,
      wasPublished: state.publishedAt !== null,
      named: mediaOf(type.fields, values).map(({ field, id }) => ({ fieldId: field.id, assetId: id })),
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

async function makeLive(
  work: UnitOfWork,
  catalog: Catalog,
  { publishable, comment }: { publishable: readonly Publishable[]; comment: string | undefined },
): Promise<Applied[]> {
  const claiming = publishable.filter(({ type }) => type.fields.some(({ unique }) => unique));
  await work.use(UniqueValueRepository).claim(
    claiming.map(({ entry, locale }) => ({ entryId: entry.id, locale })),
    claiming.flatMap(({ claims }) => claims),
  );
  const publications = publishable.map(({ entry, state, type, values }) => ({
    entry,
    state,
    document: deliverFields(type.fields, values),
  }));
  work.use(PublicationRepository).publish(publications, comment);
  noteStale(work, catalog, publishable);
  noteMedia(work, publishable);
  await work.use(EntryTreeRepository).refreshPaths(publishable.map(({ entry }) => entry));
  return publishable.map((draft) => ({
    ...unchanged(draft),
    after: withLocale(draft.entry, markOnline(draft, work.now)),
    isChanged: true,
  }));
}

/**
 * Set-based: the number of statements is constant. Refusals do not affect other entries. The caller writes the audit
 * record.
 */
export async function publishLocales(
  work: UnitOfWork,
  catalog: Catalog,
  { targets, comment, isJob }: TargetGroup,
): Promise<Outcome[]> {
  const targetsLocked = lockTargets(work, { catalog, targets, action: 'publish' });
  const linksFound = work.use(LinkRepository).targetsOf(targets.map(({ id }) => id));
  linksFound.catch(() => undefined);
  const locked = await targetsLocked;
  const drafts = locked.map((place) => (isRefusal(place) ? place : candidateOf(catalog, place)));
  const isLive = ({ state, entry }: Candidate) => statusOf(state, entry.sharedHash) === 'published';
  const candidates = drafts.filter(isAdmitted).filter((draft) => !isLive(draft));
  const checked = await checkCandidates(work, candidates, await linksFound);
  const applied = await makeLive(work, catalog, { publishable: checked.filter(isAdmitted), comment });
  const outcomes = new Map(
    [...checked.filter(isRefusal), ...applied].map((outcome) => [outcome.id, outcome]),
  );
  for (const { after, locale } of applied)
    work.emit(entryEvent('published', presentEntry(after, locale, catalog)));
  const all = drafts.map((draft) =>
    isRefusal(draft) ? draft : (outcomes.get(draft.id) ?? unchanged(draft)),
  );
  return isJob ? all : cancelPointless(work, catalog, { outcomes: all, kind: 'publish' });
}

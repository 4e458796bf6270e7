import { AppError, type InputIssue } from '../../../../contracts/errors.js';
import type { Catalog, ContentTypeDefinition } from '../../../content/catalog.js';
import { linksOf } from '../../../content/links.js';
import { checkPublishable, type FieldValues } from '../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { withLinkTypes } from '../drafts/draft-values.js';
import { isRestricting } from '../access/entry.policy.js';
import { LinkRepository, type LinkTarget } from '../link.repository.js';
import { catchRefusal, type LockedTarget, type Refusal } from './locale-targets.js';
import { localeOf, type StoredEntry, type StoredLocale } from '../stored-entry.js';
import { UniqueClaims, wantedValues, type ClaimedValue } from './unique-claims.js';
import { UniqueValueRepository } from './unique-value.repository.js';

/** A draft that is to be published. */
export interface Candidate extends LockedTarget {
  readonly state: StoredLocale;
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
  readonly values: FieldValues;
}

/** A draft that may be published, with the values that become its own. */
export interface Publishable extends Candidate {
  readonly claims: readonly ClaimedValue[];
}

/** The draft at a place, or the refusal of one that has none. */
export function candidateOf(catalog: Catalog, place: LockedTarget): Candidate | Refusal {
  const { id, entry, locale } = place;
  const type = catalog.contentTypeById(entry.contentTypeId);
  if (type === undefined) throw new Error('an entry without its type');
  return catchRefusal(id, () => {
    const state = localeOf(entry, locale);
    if (state !== undefined)
      return { ...place, state, catalog, type, values: { ...entry.sharedFields, ...state.fields } };
    const issue = { path: ['locale'], code: 'no_draft', message: `The entry has no draft in ${locale}.` };
    throw new AppError('entry_invalid', { issues: [issue] });
  });
}

/** Entries that must stay online while this one is. */
const restrictingTargets = ({ type, values }: Candidate): string[] =>
  linksOf(type.fields.filter(isRestricting), values).map(({ id }) => id);

interface LinkSettings {
  readonly sameSite?: boolean;
  readonly contentTypes?: readonly string[];
}

/**
 * Links must lead to entries that exist, and stay on the site where the field says so. Whoever wrote a link to what
 * they may not read was not told whether the field takes it: that is found out here.
 */
function linkIssues(
  { entry, catalog, type, values }: Candidate,
  targets: ReadonlyMap<string, LinkTarget>,
): InputIssue[] {
  return linksOf(type.fields, values).flatMap(({ fieldApiName, id, type: named }) => {
    const path = ['fields', fieldApiName];
    const target = targets.get(id);
    if (target === undefined)
      return [{ path, code: 'broken_reference', message: `The entry ${id} does not exist.` }];
    const settings: LinkSettings =
      type.fields.find(({ apiName }) => apiName === fieldApiName)?.settings ?? {};
    if (settings.sameSite === true && target.siteId !== entry.siteId)
      return [{ path, code: 'other_site', message: `The entry ${id} belongs to another site.` }];
    const actual = catalog.contentTypeById(target.contentTypeId)?.apiName ?? '';
    const isUnfit = actual !== named && settings.contentTypes?.includes(actual) === false;
    const message = `${fieldApiName} does not take entries of the type of ${id}.`;
    return isUnfit ? [{ path, code: 'content_type_not_allowed', message }] : [];
  });
}

/** Who claims what: the wanted values by entry, and the claims that stand already. */
async function lockClaims(
  work: UnitOfWork,
  candidates: readonly Candidate[],
): Promise<{ claims: UniqueClaims; wanted: ReadonlyMap<StoredEntry['id'], readonly ClaimedValue[]> }> {
  const values = work.use(UniqueValueRepository);
  const held = await values.lock(
    candidates.flatMap(({ entry, locale, type, values: given }) =>
      wantedValues(type.fields, given, { entryId: entry.id, locale }),
    ),
  );
  return {
    claims: new UniqueClaims(await values.holders(held)),
    wanted: Map.groupBy(held, ({ entryId }) => entryId),
  };
}

const uniqueIssues = ({ type }: Candidate, taken: ReadonlySet<string>): InputIssue[] =>
  type.fields
    .filter(({ id }) => taken.has(id))
    .map(({ apiName }) => ({
      path: ['fields', apiName],
      code: 'not_unique',
      message: 'Another published entry has this value.',
    }));

/**
 * Where the candidates' links lead. What was found out before counts for what nobody may hold on to:
 * who deletes a target of the others must see this publication, or this one the deletion.
 */
async function resolveTargets(
  work: UnitOfWork,
  candidates: readonly Candidate[],
  found: ReadonlyMap<string, LinkTarget>,
): Promise<ReadonlyMap<string, LinkTarget>> {
  const repository = work.use(LinkRepository);
  const restricting = [...new Set(candidates.flatMap(restrictingTargets))];
  const links = candidates.flatMap(({ type, values }) => linksOf(type.fields, values));
  const ids = [...new Set(links.map(({ id }) => id))];
  if (restricting.length === 0 && ids.every((id) => found.has(id))) return found;
  const [, targets] = await Promise.all([repository.lock(restricting), repository.targets(ids)]);
  return targets;
}

/**
 * The strict checks of publishing, all of an entry's issues at once, so that one answer lists
 * everything to mend: 422 `entry_invalid`. The number of statements does not depend on the number of
 * candidates. Of two that want the same unique value, the first gets it.
 * @param found what their drafts link to, where the caller has looked it up with its locks
 */
export async function checkCandidates(
  work: UnitOfWork,
  candidates: readonly Candidate[],
  found: ReadonlyMap<string, LinkTarget> = new Map(),
): Promise<(Publishable | Refusal)[]> {
  const targets = await resolveTargets(work, candidates, found);
  const { claims, wanted } = await lockClaims(work, candidates);
  return candidates.map((candidate) => {
    const { id, entry, locale } = candidate;
    const own = wanted.get(entry.id) ?? [];
    const issues = [
      ...checkPublishable(candidate.type.fields, candidate.values),
      ...linkIssues(candidate, targets),
      ...uniqueIssues(candidate, claims.taken(own)),
    ];
    if (issues.length > 0) return { id, error: new AppError('entry_invalid', { issues }) };
    claims.take({ entryId: entry.id, locale }, own);
    return { ...candidate, values: withLinkTypes(candidate, candidate.values, targets), claims: own };
  });
}

import { AppError, type InputIssue } from '../../../../../contracts/errors.js';
import type { Catalog, ContentTypeDefinition } from '../../../../content/catalog.js';
import { kindOf } from '../../../../content/field-kinds/index.js';
import { knownValues, valueParts, type ValuePart } from '../../../../content/blocks/value-parts.js';
import { entriesInTexts, linksOf, mediaOf, referencesIn } from '../../../../content/links.js';
import { checkPublishable, checkShapes, type FieldValues } from '../../../../content/validate-fields.js';
import { Turns } from '../../../../infrastructure/lazy.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { MediaFactsRepository, type UsedAsset } from '../../../media/media/index.js';
import { prepareFields, withAllLinkTypes } from '../drafts/draft-values.js';
import { isRestricting } from '../access/entry-rights.js';
import { LinkRepository, type LinkTarget } from '../link.repository.js';
import { catchRefusal, type LockedTarget, type Refusal } from './locale-targets.js';
import { localeOf, valuesOf, type StoredEntry, type StoredLocale } from '../stored-entry.js';
import {
  UniqueClaims,
  wantedValues,
  type ClaimedValue,
  UniqueValueRepository,
} from './unique-value.repository.js';

/** A draft to publish. */
export interface Candidate extends LockedTarget {
  readonly state: StoredLocale;
  readonly catalog: Catalog;
  readonly type: ContentTypeDefinition;
  readonly values: FieldValues;
  /** The entry and its blocks. */
  readonly parts: readonly ValuePart<ContentTypeDefinition>[];
}

/** A valid draft with its unique values. */
export interface Publishable extends Candidate {
  readonly claims: readonly ClaimedValue[];
}

export function candidateOf(catalog: Catalog, place: LockedTarget): Candidate | Refusal {
  const { id, entry, locale } = place;
  const type = catalog.contentTypeById(entry.contentTypeId);
  if (type === undefined) throw new Error('Entry has no content type');
  return catchRefusal(id, () => {
    const state = localeOf(entry, locale);
    if (state !== undefined) {
      const { content } = place;
      const values =
        content === undefined ? valuesOf(entry, locale) : knownValues(catalog, type, content.values);
      return { ...place, state, catalog, type, values, parts: valueParts(catalog, type, values) };
    }
    const issue = { path: ['locale'], code: 'no_draft', message: `The entry has no draft in ${locale}.` };
    throw new AppError('entry_invalid', { issues: [issue] });
  });
}

/** Targets that must stay published with this entry. */
const restrictingTargets = ({ parts }: Candidate): string[] =>
  parts.flatMap(({ type, values }) => linksOf(type.fields.filter(isRestricting), values).map(({ id }) => id));

type Part = Candidate['parts'][number];

interface LinkSettings {
  readonly sameSite?: boolean;
  readonly contentTypes?: readonly string[];
}

/**
 * Link targets must exist and, with `sameSite`, belong to the site. Allowed types are checked again, because
 * unreadable targets were not checked at write time.
 */
function linkIssues(
  { entry, catalog }: Candidate,
  { type, values }: Part,
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

/** Entries that texts name must exist and be allowed there. */
function textIssues(
  { catalog }: Candidate,
  { type, values }: Part,
  targets: ReadonlyMap<string, LinkTarget>,
): InputIssue[] {
  return entriesInTexts(type.fields, values).flatMap(({ field, id, as }) => {
    const path = ['fields', field.apiName];
    const target = targets.get(id);
    if (target === undefined)
      return [{ path, code: 'broken_reference', message: `The entry ${id} does not exist.` }];
    const contentTypeApiName = catalog.contentTypeById(target.contentTypeId)?.apiName ?? '';
    return kindOf(field)
      .checkEntry({ contentTypeApiName }, field, as)
      .map(({ code, message }) => ({ path, code, message }));
  });
}

/** Assets must exist, be delivered, and satisfy the field. */
function mediaIssues({ type, values }: Part, assets: ReadonlyMap<string, UsedAsset>): InputIssue[] {
  return mediaOf(type.fields, values).flatMap(({ field, id, as }) => {
    const path = ['fields', field.apiName];
    const asset = assets.get(id);
    if (asset === undefined)
      return [{ path, code: 'broken_reference', message: `The asset ${id} does not exist.` }];
    if (!asset.isDelivered)
      return [{ path, code: 'asset_not_delivered', message: `The scan of the asset ${id} did not pass.` }];
    return kindOf(field)
      .checkMedia(asset, field, as)
      .map(({ code, message }) => ({ path, code, message }));
  });
}

/** One statement if any candidate names assets, else none. */
const assetsOf = (
  work: UnitOfWork,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<string, UsedAsset>> =>
  work
    .use(MediaFactsRepository)
    .byIds(
      candidates
        .flatMap(({ parts }) => parts)
        .flatMap(({ type, values }) => mediaOf(type.fields, values).map(({ id }) => id)),
    );

/** Locks the unique values and reads their current holders. */
async function lockClaims(
  work: UnitOfWork,
  candidates: readonly Candidate[],
): Promise<{ claims: UniqueClaims; wanted: ReadonlyMap<StoredEntry['id'], readonly ClaimedValue[]> }> {
  const values = work.use(UniqueValueRepository);
  const held = await values.lock(
    candidates.flatMap(({ entry, locale, parts }) =>
      parts.flatMap(({ type, values: given }) =>
        wantedValues(type.fields, given, { entryId: entry.id, locale }),
      ),
    ),
  );
  return {
    claims: new UniqueClaims(await values.holders(held)),
    wanted: Map.groupBy(held, ({ entryId }) => entryId),
  };
}

const uniqueIssues = ({ type }: Part, taken: ReadonlySet<string>): InputIssue[] =>
  type.fields
    .filter(({ id }) => taken.has(id))
    .map(({ apiName }) => ({
      path: ['fields', apiName],
      code: 'not_unique',
      message: 'Another published entry has this value.',
    }));

const under = (path: Part['path'], issues: readonly InputIssue[]): InputIssue[] =>
  path.length === 0 ? [...issues] : issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));

/** Restricting targets are locked and read again: either their deletion sees this publication or the reverse. */
async function resolveTargets(
  work: UnitOfWork,
  candidates: readonly Candidate[],
  found: ReadonlyMap<string, LinkTarget>,
): Promise<ReadonlyMap<string, LinkTarget>> {
  const repository = work.use(LinkRepository);
  const restricting = [...new Set(candidates.flatMap(restrictingTargets))];
  const links = candidates
    .flatMap(({ parts }) => parts)
    .flatMap(({ type, values }) => referencesIn(type.fields, values));
  const ids = [...new Set(links.map(({ id }) => id))];
  if (restricting.length === 0 && ids.every((id) => found.has(id))) return found;
  const [, targets] = await Promise.all([repository.lock(restricting), repository.targets(ids)]);
  return targets;
}

/**
 * Runs all checks and reports every issue at once as 422 `entry_invalid`. The number of statements is constant. For
 * equal unique values the first candidate wins.
 * @param found link targets already read along with the locks
 */
export async function checkCandidates(
  work: UnitOfWork,
  candidates: readonly Candidate[],
  found: ReadonlyMap<string, LinkTarget> = new Map(),
): Promise<(Publishable | Refusal)[]> {
  const [targets, assets] = await Promise.all([
    resolveTargets(work, candidates, found),
    assetsOf(work, candidates),
  ]);
  const { claims, wanted } = await lockClaims(work, candidates);
  await prepareFields(new Set(candidates.flatMap(({ parts }) => parts.flatMap(({ type }) => type.fields))));
  const turns = new Turns();
  const checked: (Publishable | Refusal)[] = [];
  for (const candidate of candidates) {
    await turns.pause();
    const { id, entry, locale } = candidate;
    const own = wanted.get(entry.id) ?? [];
    const taken = claims.taken(own);
    // What was live before is put back as it was; the types of its fields may have changed.
    const contentIssues = (part: Part): InputIssue[] =>
      candidate.content?.restoredAt === undefined
        ? [
            ...checkPublishable(part.type.fields, part.values),
            ...linkIssues(candidate, part, targets),
            ...textIssues(candidate, part, targets),
            ...mediaIssues(part, assets),
          ]
        : checkShapes(part.type.fields, part.values);
    const issues = candidate.parts.flatMap((part) =>
      under(part.path, [...contentIssues(part), ...uniqueIssues(part, taken)]),
    );
    if (issues.length > 0) {
      checked.push({ id, error: new AppError('entry_invalid', { issues }) });
      continue;
    }
    claims.take({ entryId: entry.id, locale }, own);
    const values = withAllLinkTypes(candidate, candidate.values, targets);
    checked.push({
      ...candidate,
      values,
      parts: valueParts(candidate.catalog, candidate.type, values),
      claims: own,
    });
  }
  return checked;
}

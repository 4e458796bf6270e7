import { AppError, type InputIssue } from '../../../contracts/errors.js';
import type { publishEntry as contract } from '../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../contracts/operation.js';
import type { Entry } from '../../../contracts/resources/entry.js';
import type { Catalog, ContentTypeDefinition } from '../../content/catalog.js';
import { deliverFields } from '../../content/deliver-fields.js';
import { statusOf } from '../../content/entry-state.js';
import { linksOf } from '../../content/links.js';
import { checkPublishable, type FieldValues } from '../../content/validate-fields.js';
import type { UnitOfWork } from '../../persistence/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { assertSiteWritable } from '../shared/index.js';
import { entryEvent } from './entry.events.js';
import { assertVersion, isRestricting, localeFor, siteOf } from './entry.policy.js';
import { presentEntry } from './entry.presenter.js';
import { EntryRepository } from './entry.repository.js';
import { LinkRepository } from './link-target.repository.js';
import { PublicationRepository } from './publication.repository.js';
import { localeOf, withLocale, type StoredEntry, type StoredLocale } from './stored-entry.js';

interface Candidate {
  readonly entry: StoredEntry;
  readonly state: StoredLocale;
  readonly type: ContentTypeDefinition;
  readonly values: FieldValues;
}

/** Links must lead to entries that exist, and stay on the site where the field says so. */
async function linkIssues(work: UnitOfWork, { entry, type, values }: Candidate): Promise<InputIssue[]> {
  const links = linksOf(type.fields, values);
  const repository = work.use(LinkRepository);
  // Who deletes a target of these must see this publication, or this one the deletion.
  await repository.hold(linksOf(type.fields.filter(isRestricting), values).map(({ id }) => id));
  const targets = await repository.targets([...new Set(links.map(({ id }) => id))]);
  return links.flatMap(({ fieldApiName, id }) => {
    const path = ['fields', fieldApiName];
    const target = targets.get(id);
    if (target === undefined)
      return [{ path, code: 'broken_reference', message: `The entry ${id} does not exist.` }];
    const { sameSite } = (type.fields.find(({ apiName }) => apiName === fieldApiName)?.settings ?? {}) as {
      sameSite?: boolean;
    };
    const isElsewhere = sameSite === true && target.siteId !== entry.siteId;
    return isElsewhere
      ? [{ path, code: 'other_site', message: `The entry ${id} belongs to another site.` }]
      : [];
  });
}

async function uniqueIssues(
  work: UnitOfWork,
  { entry, state, type, values }: Candidate,
): Promise<InputIssue[]> {
  const claim = { locale: state.locale, values };
  const taken = await work.use(PublicationRepository).claimUnique(entry, type.fields, claim);
  return type.fields
    .filter(({ id }) => taken.includes(id))
    .map(({ apiName }) => ({
      path: ['fields', apiName],
      code: 'not_unique',
      message: 'Another published entry has this value.',
    }));
}

/**
 * The strict checks of publishing, all at once, so that one answer lists everything to mend.
 * @throws AppError 422 `entry_invalid`
 */
async function assertPublishable(work: UnitOfWork, candidate: Candidate): Promise<void> {
  const issues = [
    ...checkPublishable(candidate.type.fields, candidate.values),
    ...(await linkIssues(work, candidate)),
    ...(await uniqueIssues(work, candidate)),
  ];
  if (issues.length > 0) throw new AppError('entry_invalid', { issues });
}

function candidateOf(catalog: Catalog, entry: StoredEntry, locale: string): Candidate {
  const state = localeOf(entry, locale);
  const type = catalog.contentTypeById(entry.contentTypeId);
  if (type === undefined) throw new Error('an entry without its type');
  if (state === undefined) {
    const issue = { path: ['locale'], code: 'no_draft', message: `The entry has no draft in ${locale}.` };
    throw new AppError('entry_invalid', { issues: [issue] });
  }
  return { entry, state, type, values: { ...entry.sharedFields, ...state.fields } };
}

/** Publishes the draft of one locale. What is live already stays as it is. */
export async function publishEntry(
  work: UnitOfWork,
  input: InputOf<typeof contract>,
): Promise<{ data: Entry }> {
  const catalog = await work.use(CatalogRepository).current();
  const entries = work.use(EntryRepository);
  const before = await entries.lock(input.id);
  assertSiteWritable(work.scope, before.siteId, { resource: 'entries', action: 'publish' });
  const locale = localeFor(catalog, siteOf(catalog, before), input.locale);
  assertVersion(before, input.version);
  const candidate = candidateOf(catalog, before, locale);
  const { state, type, values } = candidate;
  const was = presentEntry(before, locale, catalog);
  if (statusOf(state, before.sharedHash) === 'published') return { data: was };
  await assertPublishable(work, candidate);
  const document = deliverFields(type.fields, values);
  const live = await work
    .use(PublicationRepository)
    .publish({ entry: before, state, document, at: work.now });
  const after = withLocale(before, live);
  const data = presentEntry(after, locale, catalog);
  entries.note({ action: 'entry.publish', entry: after, locale, before: { ...was }, after: { ...data } });
  work.emit(entryEvent('published', data));
  return { data };
}

import type { unpublishEntry as contract } from '../../../contracts/management/entries.contract.js';
import type { InputOf } from '../../../contracts/operation.js';
import type { Entry } from '../../../contracts/resources/entry.js';
import type { UnitOfWork } from '../../persistence/unit-of-work.js';
import { CatalogRepository } from '../catalog/index.js';
import { assertSiteWritable } from '../shared/index.js';
import { entryEvent } from './entry.events.js';
import { assertVersion, localeFor, referrersUnlessRestricted, siteOf } from './entry.policy.js';
import { presentEntry } from './entry.presenter.js';
import { EntryRepository } from './entry.repository.js';
import { PublicationRepository } from './publication.repository.js';
import { localeOf, withLocale, type StoredLocale } from './stored-entry.js';

/** A locale's state once it is offline. */
export const offline = (state: StoredLocale): StoredLocale => ({
  ...state,
  publishedContentHash: null,
  publishedSharedHash: null,
  publishedVersion: null,
  publishedAt: null,
});

/** Takes one locale of an entry offline; one that is not live stays as it is. */
export async function unpublishEntry(
  work: UnitOfWork,
  input: InputOf<typeof contract>,
): Promise<{ data: Entry }> {
  const catalog = await work.use(CatalogRepository).current();
  const entries = work.use(EntryRepository);
  const before = await entries.lock(input.id);
  assertSiteWritable(work.scope, before.siteId, { resource: 'entries', action: 'unpublish' });
  const locale = localeFor(catalog, siteOf(catalog, before), input.locale);
  assertVersion(before, input.version);
  const was = presentEntry(before, locale, catalog);
  const state = localeOf(before, locale);
  if (state?.publishedAt === undefined || state.publishedAt === null) return { data: was };
  await referrersUnlessRestricted(work, catalog, before.id);
  await work.use(PublicationRepository).unpublish(before.id, [locale]);
  const after = withLocale(before, offline(state));
  const data = presentEntry(after, locale, catalog);
  entries.note({ action: 'entry.unpublish', entry: after, locale, before: { ...was }, after: { ...data } });
  work.emit(entryEvent('unpublished', data));
  return { data };
}

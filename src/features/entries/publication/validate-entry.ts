import type { entries } from '../../../../contracts/management/entries.contract.js';
import type { EntryValidation } from '../../../../contracts/resources/entry-validation.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../catalog/index.js';
import { localeFor, siteOf } from '../access/entry.policy.js';
import { EntryRepository } from '../entry.repository.js';
import { isRefusal } from './locale-targets.js';
import { candidateOf, checkCandidates } from './publish-check.js';
import { issuesOf } from './publish-dependencies.js';

/** Dry run of the publish checks. */
export async function validateEntry(
  work: UnitOfWork,
  input: InputOf<typeof entries.validate>,
): Promise<{ data: EntryValidation }> {
  const catalog = await work.use(CatalogRepository).current();
  const entry = await work.use(EntryRepository).find(input.id);
  const { id, version } = entry;
  const locale = localeFor(catalog, siteOf(catalog, entry), input.locale);
  const candidate = candidateOf(catalog, { id, entry, locale });
  const [checked = candidate] = isRefusal(candidate) ? [] : await checkCandidates(work, [candidate]);
  if (isRefusal(checked) && checked.error.code !== 'entry_invalid') throw checked.error;
  const issues = isRefusal(checked) ? issuesOf(checked.error) : [];
  return { data: { id, locale, version, isPublishable: issues.length === 0, issues } };
}

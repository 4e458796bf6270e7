import type { InputIssue } from '../../../../../contracts/errors.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { EntryValidation } from '../../../../../contracts/entries/entries/entry-validation.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { linksOf } from '../../../../content/links.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { localeFor } from '../access/entry-locale.js';
import { blockFieldsOf } from '../blocks/nested-block.js';
import { EntryRepository } from '../entry.repository.js';
import { valuesIn } from '../anchored-values.js';
import { isRefusal } from './locale-targets.js';
import { candidateOf, checkCandidates, type Candidate } from './publish-check.js';
import { issuesOf } from './publish-along.js';
import { PendingBlockRepository } from './pending-block.repository.js';

/** What readers of the locale would not see: linked entries that are not live, newer drafts of blocks. */
async function warningsOf(
  work: UnitOfWork,
  { catalog, type, values, locale }: Candidate,
): Promise<InputIssue[]> {
  const links = linksOf(type.fields, values);
  const ids = [...new Set(links.map(({ id }) => id))];
  if (ids.length === 0) return [];
  const read = { locales: catalog.localeChain(locale), forAll: catalog.typesForAll };
  const blocks = new Set(linksOf(blockFieldsOf(type), values).map(({ id }) => id));
  const [offline, changed] = await Promise.all([
    work.use(EntryRepository).findOffline(ids, read, ids.length),
    work.use(PendingBlockRepository).findChanged([...blocks], locale),
  ]);
  const hidden = new Set(offline.map(({ id }) => id));
  return links.flatMap(({ fieldApiName, id }) => {
    const path = ['fields', fieldApiName];
    if (hidden.has(id))
      return [{ path, code: 'not_published', message: `The entry ${id} is not published.` }];
    if (!blocks.has(id) || !changed.has(id)) return [];
    return [
      { path, code: 'unpublished_changes', message: `The block ${id} has changes that are not published.` },
    ];
  });
}

/** Dry run of the publish checks. */
export async function validateEntry(
  work: UnitOfWork,
  input: InputOf<typeof entries.validate>,
): Promise<{ data: EntryValidation }> {
  const catalog = await work.use(CatalogRepository).current();
  const entries = work.use(EntryRepository);
  const found = await entries.find(input.id, valuesIn(input.locale));
  const { id, version } = found;
  const locale = localeFor(catalog, found, input.locale);
  const [entry = found] = await entries.complete([{ entry: found, locale }]);
  const candidate = candidateOf(catalog, { id, entry, locale });
  const [checked = candidate] = isRefusal(candidate) ? [] : await checkCandidates(work, [candidate]);
  if (isRefusal(checked) && checked.error.code !== 'entry_invalid') throw checked.error;
  const issues = isRefusal(checked) ? issuesOf(checked.error) : [];
  const warnings = isRefusal(candidate) ? [] : await warningsOf(work, candidate);
  return { data: { id, locale, version, isPublishable: issues.length === 0, issues, warnings } };
}

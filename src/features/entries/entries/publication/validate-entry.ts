import type { InputIssue } from '../../../../../contracts/errors.js';
import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { EntryValidation } from '../../../../../contracts/entries/entries/entry-validation.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { blockFieldsOf } from '../../../../content/blocks/value-parts.js';
import { referencesIn } from '../../../../content/links.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { localeFor } from '../access/entry-locale.js';
import { EntryRepository } from '../entry.repository.js';
import { LinkRepository } from '../link.repository.js';
import { valuesIn } from '../anchored-values.js';
import { isRefusal } from './locale-targets.js';
import { candidateOf, checkCandidates, type Candidate } from './publish-check.js';
import { issuesOf } from './publish-along.js';

/** What readers of the locale would not see: linked entries that are not live, newer drafts of shared blocks. */
async function warningsOf(work: UnitOfWork, { catalog, parts, locale }: Candidate): Promise<InputIssue[]> {
  const links = parts.flatMap(({ path: at, type, values }) =>
    referencesIn(type.fields, values).map(({ fieldApiName, id }) => ({
      id,
      path: [...at, 'fields', fieldApiName],
      isBlock: blockFieldsOf(type).some(({ apiName }) => apiName === fieldApiName),
    })),
  );
  const ids = [...new Set(links.map(({ id }) => id))];
  if (ids.length === 0) return [];
  const read = { locales: catalog.localeChain(locale), forAll: catalog.typesForAll };
  const blocks = new Set(links.filter(({ isBlock }) => isBlock).map(({ id }) => id));
  const [offline, changed] = await Promise.all([
    work.use(LinkRepository).offline(ids, read, ids.length),
    work.use(LinkRepository).changed([...blocks], locale),
  ]);
  const hidden = new Set(offline);
  return links.flatMap(({ path, id, isBlock }) => {
    if (hidden.has(id))
      return [{ path, code: 'not_published', message: `The entry ${id} is not published.` }];
    if (!isBlock || !changed.includes(id)) return [];
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

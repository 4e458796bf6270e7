import type { Catalog } from '../../../content/catalog.js';
import { entryTexts, type SearchDocument } from '../../../content/search/search-document.js';
import { withMarks } from '../../../content/search/boosts.js';
import { titleFieldOf } from '../../../content/slug-field.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { IndexedContentRepository, type IndexedContent } from './content.repository.js';
import { SearchDocumentRepository } from './document.repository.js';
import { keyOf, rowsOf } from './document-rows.js';
import { SearchQueueRepository } from './queue.repository.js';
import type { SearchIndex } from './search-index.js';
import type { search } from '../../../../contracts/insight/search/search.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { Reindex } from '../../../../contracts/insight/search/search.js';
import { authorize } from '../../../access/authorize.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { resolveSiteIds, resolveTypeIds } from '../../entries/entries/index.js';
import type { SearchServices } from './query-vectors.js';

function documentsOf(content: IndexedContent, catalog: Catalog): SearchDocument[] {
  const type = catalog.contentTypeById(content.contentTypeId);
  if (type === undefined) return [];
  const { entryId, siteId, locale, assets } = content;
  const titleField = titleFieldOf(type);
  const titleId = type.fields.find(({ apiName }) => apiName === titleField)?.id ?? null;
  const { fieldBoosts } = catalog.data.searchSettings;
  const document = (
    stage: SearchDocument['stage'],
    title: string,
    values: Omit<Parameters<typeof entryTexts>[2], 'titleField'>,
  ): SearchDocument => {
    const texts = [
      { text: title, weight: 'A' as const, fieldId: titleId },
      ...entryTexts(catalog, type, { ...values, titleField }),
      ...assets.map((text) => ({ text, weight: 'D' as const })),
    ];
    return { entryId, siteId, locale, stage, title, texts: withMarks(texts, fieldBoosts) };
  };
  const draft = document('draft', content.title, { values: content.fields });
  if (content.live === null) return [draft];
  const liveTitle = titleField === null ? null : content.live[titleField];
  const shown = typeof liveTitle === 'string' ? liveTitle : (content.liveSlug ?? '');
  const blockOf = (id: string) => content.liveBlocks?.[id]?.fields;
  return [draft, document('live', shown, { values: content.live, blockOf })];
}

/** The text of every locale of entries, as drafts and as published. Deleted entries have none. */
export async function readDocuments(
  work: UnitOfWork,
  catalog: Catalog,
  entryIds: readonly string[],
): Promise<SearchDocument[]> {
  const contents = await work.use(IndexedContentRepository).of(entryIds);
  return contents.flatMap((content) => documentsOf(content, catalog));
}

/**
 * Rows of what is published of entries as JSON, for the index of an environment.
 * @param environmentId may be another one than that of the unit of work
 */
export async function indexRows(
  work: UnitOfWork,
  { lexicon }: Pick<SearchServices, 'lexicon'>,
  {
    catalog,
    ids,
    environmentId,
  }: { readonly catalog: Catalog; readonly ids: readonly string[]; readonly environmentId: string },
): Promise<string> {
  const documents = await readDocuments(work, catalog, ids);
  const live = documents.filter(({ stage }) => stage === 'live');
  const { rows } = await rowsOf(work, live, { lexicon, environmentId });
  return JSON.stringify(
    rows.map(({ entryId, siteId, ...row }) => ({
      ...row,
      environment_id: environmentId,
      entry_id: entryId,
      site_id: siteId,
    })),
  );
}

/** A document of the index that differs from its entry. */
interface IndexDifference {
  readonly of: string;
  readonly problem: string;
}

/** Entries compared at once. */
const BATCH = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface Checked {
  readonly catalog: Catalog;
  readonly index: Pick<SearchIndex, 'hashes'>;
}

async function compare(
  work: UnitOfWork,
  { catalog, index }: Checked,
  entryIds: readonly string[],
): Promise<IndexDifference[]> {
  const documents = await readDocuments(work, catalog, entryIds);
  const indexed = new Map(
    (await work.use(SearchDocumentRepository).keys(entryIds)).map((row) => [keyOf(row), row.hash]),
  );
  const waiting = await work.use(SearchQueueRepository).waiting(entryIds);
  const expected = await index.hashes(work, documents);
  return [...new Set([...expected.keys(), ...indexed.keys()])].flatMap((key) => {
    const [, entryId = ''] = key.split(' ');
    const [wanted, actual] = [expected.get(key), indexed.get(key)];
    if (wanted === actual || waiting.has(entryId)) return [];
    const problem =
      actual === undefined ? 'missing' : wanted === undefined ? 'not content' : 'differs from the content';
    return [{ of: `search document ${key}`, problem }];
  });
}

/** Compares the index of the environment with its content; changes that wait to be indexed are no differences. */
export async function checkIndex(
  work: UnitOfWork,
  checked: Checked,
  limit: number,
): Promise<IndexDifference[]> {
  const found: IndexDifference[] = [];
  for (let after = FIRST_ID; found.length < limit;) {
    const ids = await work.use(IndexedContentRepository).idsAfter(after, BATCH);
    if (ids.length === 0) break;
    found.push(...(await compare(work, checked, ids)));
    after = ids.at(-1) ?? after;
  }
  return found.slice(0, limit);
}

/** Rule search/index: the index of the database follows every write, so that there is nothing to do. */
export async function reindexSearch(
  work: UnitOfWork,
  input: InputOf<typeof search.reindex>,
  { index }: SearchServices,
): Promise<{ data: Reindex }> {
  authorize(work, 'search.update');
  const catalog = await work.use(CatalogRepository).current();
  const contentTypeIds = resolveTypeIds(catalog, input.contentTypes);
  const siteIds = resolveSiteIds(catalog, input.siteIds);
  const { provider } = index;
  if (provider === 'database') return { data: { status: 'noop', provider } };
  const { id: jobId } = await index.rebuild(work, { contentTypeIds, siteIds });
  return { data: { jobId, status: 'queued', provider } };
}

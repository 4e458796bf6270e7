import type { Catalog } from '../../content/catalog.js';
import { fieldTexts, type SearchDocument, type SearchText } from '../../content/search/search-document.js';
import { titleFieldOf } from '../../content/title-field.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { IndexedContentRepository, type IndexedContent } from './content.repository.js';

function documentsOf(content: IndexedContent, catalog: Catalog): SearchDocument[] {
  const type = catalog.contentTypeById(content.contentTypeId);
  if (type === undefined) return [];
  const { entryId, siteId, locale, assets } = content;
  const titleField = titleFieldOf(type);
  const document = (
    stage: SearchDocument['stage'],
    title: string,
    values: Readonly<Record<string, unknown>>,
  ): SearchDocument => {
    const texts: SearchText[] = [
      { text: title, weight: 'A' },
      ...fieldTexts(type.fields, values, titleField).map(({ text, weight }) => ({ text, weight })),
      ...assets.map((text) => ({ text, weight: 'D' as const })),
    ];
    return { entryId, siteId, locale, stage, title, texts };
  };
  const draft = document('draft', content.title, content.fields);
  if (content.live === null) return [draft];
  const liveTitle = titleField === null ? null : content.live[titleField];
  return [
    draft,
    document('live', typeof liveTitle === 'string' ? liveTitle : (content.liveSlug ?? ''), content.live),
  ];
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

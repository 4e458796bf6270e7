import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { markLexeme, SearchVector } from '../../content/search/search-vector.js';
import type { SearchDocument, SearchStage } from '../../content/search/search-document.js';
import { foldText } from '../../content/search/words.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { SearchDocumentRepository, type DocumentRow } from './document.repository.js';
import { readWords } from './document-words.js';
import type { Lexicon } from './lexicon.js';

/** Raised when the same text is indexed differently. */
const FORM = 1;
const TITLE_CHARACTERS = 300;
/** The database ends a transaction that is idle for ten seconds. */
const OPEN_MS = 1000;

export const environmentOf = ({ scope }: UnitOfWork): string => scope.environmentId ?? '';

/** A lexeme of every document of a stage, and of a locale: the index finds those of one environment by it. */
export const placeMark = (environmentId: string, stage: SearchStage, locale = ''): string =>
  `=${environmentId.replaceAll('-', '')}${stage}${locale}`;

export const hashOf = ({ siteId, title, texts }: SearchDocument): string =>
  createHash('md5')
    .update(JSON.stringify([FORM, siteId, title, texts]))
    .digest('hex');

/** Names a document in its environment. */
export const keyOf = ({
  stage,
  entryId,
  locale,
}: Pick<SearchDocument, 'stage' | 'entryId' | 'locale'>): string => `${stage} ${entryId} ${locale}`;

export interface IndexedRows {
  readonly rows: DocumentRow[];
  readonly words: ReadonlySet<string>;
}

/** Requests of the process are served between long texts, and the transaction is not idle for long. */
export function keeper(work: UnitOfWork): () => Promise<void> {
  let last = performance.now();
  return async () => {
    await turn();
    if (performance.now() - last < OPEN_MS) return;
    await work.use(SearchDocumentRepository).keepOpen();
    last = performance.now();
  };
}

/** Rows of the index with the words of their texts. */
export async function rowsOf(
  work: UnitOfWork,
  documents: readonly SearchDocument[],
  { lexicon, environmentId }: { readonly lexicon: Lexicon; readonly environmentId: string },
): Promise<IndexedRows> {
  const keepOpen = keeper(work);
  const { tokenized, stems } = await readWords(work, documents, { lexicon, keepOpen });
  const words = new Set<string>();
  const rows: DocumentRow[] = [];
  let lexemes = '';
  for (const [index, document] of documents.entries()) {
    const { entryId, locale, stage, siteId, title } = document;
    const tokens = tokenized[index] ?? [];
    if (index === 0 || tokens !== tokenized[index - 1]) {
      const vector = new SearchVector(locale, stems);
      for (const text of tokens) vector.add(text);
      for (const word of vector.words) words.add(word);
      lexemes = vector.toString();
      await keepOpen();
    }
    const marks = [placeMark(environmentId, stage), placeMark(environmentId, stage, locale)];
    const vector = `${marks.map(markLexeme).join(' ')} ${lexemes}`;
    const folded = foldText(title, locale).slice(0, TITLE_CHARACTERS);
    rows.push({ entryId, locale, stage, siteId, title: folded, vector, hash: hashOf(document) });
  }
  return { rows, words };
}

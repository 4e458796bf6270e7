import { dictionaryOf, type Stems } from '../../../content/search/dictionaries.js';
import type { SearchDocument, SearchStage } from '../../../content/search/search-document.js';
import {
  markedLexemes,
  noteSpellings,
  tokenize,
  wordsOf,
  type TokenizedText,
  markLexeme,
  SearchVector,
} from '../../../content/search/search-vector.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { Lexicon } from './lexicon.js';
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { foldText } from '../../../content/search/words.js';
import { SearchDocumentRepository, type DocumentRow } from './document.repository.js';

interface DocumentWords {
  /** One after the other; documents of the same text and language have the same array. */
  readonly tokenized: readonly (readonly TokenizedText[])[];
  readonly stems: Stems;
}

/** What is published is mostly the draft. */
const isSameText = (one: SearchDocument, other: SearchDocument): boolean =>
  one.locale === other.locale &&
  one.texts.length === other.texts.length &&
  one.texts.every(({ text, weight, mark }, index) => {
    const compared = other.texts[index];
    return compared?.text === text && compared.weight === weight && compared.mark === mark;
  });

/**
 * The words of documents and their stems.
 * @param keepOpen called after each document
 */
export async function readWords(
  work: UnitOfWork,
  documents: readonly SearchDocument[],
  { lexicon, keepOpen }: { readonly lexicon: Lexicon; readonly keepOpen: () => Promise<void> },
): Promise<DocumentWords> {
  const byDictionary = new Map<string, Set<string>>();
  const tokenized: (readonly TokenizedText[])[] = [];
  for (const [index, document] of documents.entries()) {
    const [before, known] = [documents[index - 1], tokenized[index - 1]];
    if (before !== undefined && known !== undefined && isSameText(before, document)) {
      tokenized.push(known);
      continue;
    }
    const { texts, locale } = document;
    const tokens = tokenize(texts, locale);
    tokenized.push(tokens);
    const dictionary = dictionaryOf(locale);
    if (dictionary !== undefined) {
      const words = byDictionary.get(dictionary) ?? new Set();
      for (const word of wordsOf(tokens, locale)) words.add(word);
      byDictionary.set(dictionary, words);
    }
    await keepOpen();
  }
  return { tokenized, stems: await lexicon.read(work, byDictionary) };
}

/** Raised when the same text is indexed differently. */
const FORM = 2;
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

interface IndexedRows {
  readonly rows: DocumentRow[];
  /** As they are written, by the word without accents. */
  readonly words: ReadonlyMap<string, string>;
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
  const words = new Map<string, string>();
  const rows: DocumentRow[] = [];
  let lexemes = '';
  let boosted: string | null = null;
  for (const [index, document] of documents.entries()) {
    const { entryId, locale, stage, siteId, title } = document;
    const tokens = tokenized[index] ?? [];
    if (index === 0 || tokens !== tokenized[index - 1]) {
      const vector = new SearchVector(locale, stems);
      for (const text of tokens) vector.add(text);
      noteSpellings(words, vector.words);
      lexemes = vector.toString();
      const marked = markedLexemes(tokens, locale, stems);
      boosted = marked.length === 0 ? null : marked.map((lexeme) => `'${lexeme}'`).join(' ');
      await keepOpen();
    }
    const marks = [placeMark(environmentId, stage), placeMark(environmentId, stage, locale)];
    const vector = `${marks.map(markLexeme).join(' ')} ${lexemes}`;
    const folded = foldText(title, locale).slice(0, TITLE_CHARACTERS);
    rows.push({ entryId, locale, stage, siteId, title: folded, vector, boosted, hash: hashOf(document) });
  }
  return { rows, words };
}

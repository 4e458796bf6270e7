import { dictionaryOf, type Stems } from '../../content/search/dictionaries.js';
import type { SearchDocument } from '../../content/search/search-document.js';
import { tokenize, wordsOf, type TokenizedText } from '../../content/search/search-vector.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import type { Lexicon } from './lexicon.js';

export interface DocumentWords {
  /** One after the other; documents of the same text and language have the same array. */
  readonly tokenized: readonly (readonly TokenizedText[])[];
  readonly stems: Stems;
}

/** What is published is mostly the draft. */
const isSameText = (one: SearchDocument, other: SearchDocument): boolean =>
  one.locale === other.locale &&
  one.texts.length === other.texts.length &&
  one.texts.every(({ text, weight }, index) => {
    const compared = other.texts[index];
    return compared?.text === text && compared.weight === weight;
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
      for (const word of wordsOf(tokens)) words.add(word);
      byDictionary.set(dictionary, words);
    }
    await keepOpen();
  }
  return { tokenized, stems: await lexicon.read(work, byDictionary) };
}

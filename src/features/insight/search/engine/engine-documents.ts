import { createHash } from 'node:crypto';
import { formsOf, type Stems } from '../../../../content/search/dictionaries.js';
import type { SearchDocument, SearchStage } from '../../../../content/search/search-document.js';
import {
  markedLexemes,
  noteSpellings,
  vocabularyOf,
  type TokenizedText,
} from '../../../../content/search/search-vector.js';
import { foldText, pairsOf } from '../../../../content/search/words.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { keeper, readWords } from '../document-rows.js';
import type { Lexicon } from '../lexicon.js';
import { FORM } from './engine-indexes.js';
import { indexedValues, orderKey } from './engine-values.js';
import { EntryFactsRepository, type EntryFacts } from './state.repository.js';

/** A document as the engine gets it. */
export interface EngineDocument {
  readonly entryId: string;
  readonly locale: string;
  readonly stage: SearchStage;
  readonly siteId: string;
  /** In its index. */
  readonly id: string;
  readonly json: string;
  readonly hash: string;
  /** As they are written, by the word without accents. */
  readonly words: ReadonlyMap<string, string>;
}

export const engineId = ({
  stage,
  entryId,
  locale,
}: Pick<EngineDocument, 'stage' | 'entryId' | 'locale'>): string => `${stage}:${entryId}:${locale}`;

const TITLE_CHARACTERS = 300;
/** A document is not larger than what one request sends. */
const WORDS_CHARACTERS = 600_000;

/** Words with their stems at the same place, and pairs of characters of runs, divided by spaces. */
function tokenText({ tokens }: TokenizedText, locale: string, stems: Stems): string {
  const parts: string[] = [];
  let size = 0;
  for (const token of tokens) {
    const { text, isRun } = token;
    if (size > WORDS_CHARACTERS) break;
    if (isRun) {
      parts.push(...pairsOf(text), Array.from(text).at(-1) ?? '');
      size += 4 * text.length;
      continue;
    }
    const part = formsOf(token, locale, stems).join('|');
    parts.push(part);
    size += part.length + 1;
  }
  return parts.join(' ');
}

const millisecondsOf = (time: Date | string | null): number | null =>
  time === null ? null : new Date(time).getTime();

/** What the document is filtered, sorted and counted by. What is live has neither people nor states. */
function stateOf(facts: EntryFacts, stage: SearchStage): object {
  const { live } = facts;
  if (stage === 'live' && live !== null) {
    const { values, present } = indexedValues(live.fields);
    const publishedAt = millisecondsOf(live.publishedAt);
    const createdAt = millisecondsOf(live.createdAt);
    return { slug: live.slug, createdAt, updatedAt: publishedAt, publishedAt, values, present };
  }
  const { status, workflowState, assigneeId, createdBy, updatedBy, title, slug } = facts;
  const { values, present } = indexedValues(facts.fields);
  return {
    status,
    workflowState,
    assigneeId,
    createdBy,
    updatedBy,
    slug,
    values,
    present,
    titleSort: orderKey(title),
    createdAt: millisecondsOf(facts.createdAt),
    updatedAt: millisecondsOf(facts.updatedAt),
    publishedAt: millisecondsOf(facts.publishedAt),
  };
}

interface Reading {
  readonly facts: EntryFacts;
  readonly tokenized: readonly TokenizedText[];
  readonly stems: Stems;
  /** Locales that the entry has at the stage. */
  readonly siblings: readonly string[];
  readonly generation: string;
}

function documentOf(document: SearchDocument, reading: Reading): EngineDocument {
  const { entryId, locale, stage, siteId, title } = document;
  const { facts, tokenized, stems, siblings, generation } = reading;
  const folded = foldText(title, locale).slice(0, TITLE_CHARACTERS).toWellFormed();
  const words = new Map<string, string>();
  for (const { tokens } of tokenized)
    for (const token of tokens) if (!token.isRun) noteSpellings(words, vocabularyOf(token, locale));
  const texts: Record<string, string[]> = { A: [], B: [], C: [], D: [] };
  for (const text of tokenized) texts[text.weight]?.push(tokenText(text, locale, stems));
  const boosted = markedLexemes(tokenized, locale, stems);
  const json = JSON.stringify({
    entryId,
    locale,
    stage,
    siteId,
    siblings,
    contentTypeId: facts.contentTypeId,
    titleSort: orderKey(folded),
    ...stateOf(facts, stage),
    title: folded,
    a: texts.A,
    b: texts.B,
    c: texts.C,
    d: texts.D,
    ...(boosted.length > 0 && { boosted }),
  });
  const hash = createHash('md5')
    .update(`${String(FORM)} ${generation} ${json}`)
    .digest('hex');
  return { entryId, locale, stage, siteId, id: engineId(document), json, hash, words };
}

/**
 * Documents of the engine. Entries that have been deleted since have none.
 * @param generation of the index that they are for
 */
export async function engineDocuments(
  work: UnitOfWork,
  documents: readonly SearchDocument[],
  { lexicon, generation }: { readonly lexicon: Lexicon; readonly generation: string },
): Promise<EngineDocument[]> {
  const keepOpen = keeper(work);
  const ids = [...new Set(documents.map(({ entryId }) => entryId))];
  const rows = await work.use(EntryFactsRepository).of(ids);
  const facts = new Map(rows.map((row) => [`${row.entryId} ${row.locale}`, row]));
  const siblings = Map.groupBy(documents, ({ entryId, stage }) => `${stage} ${entryId}`);
  const { tokenized, stems } = await readWords(work, documents, { lexicon, keepOpen });
  const found: EngineDocument[] = [];
  for (const [index, document] of documents.entries()) {
    const { entryId, locale, stage } = document;
    const known = facts.get(`${entryId} ${locale}`);
    if (known === undefined || (stage === 'live' && known.live === null)) continue;
    const others = (siblings.get(`${stage} ${entryId}`) ?? []).map((other) => other.locale).sort();
    const reading = { facts: known, tokenized: tokenized[index] ?? [], stems, siblings: others, generation };
    found.push(documentOf(document, reading));
    await keepOpen();
  }
  return found;
}

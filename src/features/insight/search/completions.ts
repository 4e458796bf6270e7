import { mapWords, wordsIn, type QueryTerms, type WordTerm } from '../../../content/search/search-query.js';
import { beginningsNear, isInVocabulary, type Token } from '../../../content/search/words.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { nearWords, type Lexicon } from './lexicon.js';
import { corrected, planWords, type PlannedQuery } from './query-plan.js';
import type {
  CompletedQuery,
  Completions,
  CountedWord,
  HitKey,
  Replacement,
  SearchQuery,
  TitleHit,
  TitleQuery,
  WordQuery,
} from './search-index.js';
import { SearchWordRepository, type IndexedWord } from './word.repository.js';

/** Titles whose words may complete a query. */
const TITLES = 40;
/** Words whose documents are counted, and how many of these titles have. */
const WORDS = 40;
const TITLE_WORDS = 20;
/** Shorter words are not corrected. */
const SHORTEST_CORRECTED = 5;
/** Corrected queries that are tried. */
const CORRECTIONS = 3;
const NONE: Completions = { queries: [], titles: [] };
const isEmpty = ({ queries, titles }: Completions): boolean => queries.length + titles.length === 0;

export interface CompletionSteps {
  readonly lexicon: Lexicon;
  titles(asked: TitleQuery): Promise<TitleHit[]>;
  count(asked: WordQuery): Promise<CountedWord[]>;
  /** The first document by title that has each of the words. */
  samples(asked: WordQuery): Promise<ReadonlyMap<string, HitKey>>;
}

interface Typed {
  readonly work: UnitOfWork;
  readonly plan: PlannedQuery;
  /** The word that is being typed. */
  readonly last: Token | undefined;
  /** A word of the query that was corrected. */
  readonly corrected: readonly Replacement[];
  /** Queries that are shown. */
  readonly limit: number;
}

const vocabularyIn = ({ work }: Typed): SearchWordRepository => work.use(SearchWordRepository);

const isWord = (term: QueryTerms['terms'][number], token: Token | undefined): term is WordTerm =>
  term.kind === 'word' && token !== undefined && term.token === token;

/** What documents have besides the last word. */
function contextOf({ plan, last }: Typed): QueryTerms {
  const { terms, phrases, excluded } = plan;
  return { terms: terms.filter((term) => !isWord(term, last)), phrases, excluded };
}

/** Words that carry a meaning, without the one that was typed. */
async function tellingWords(
  { work, plan, last }: Typed,
  words: readonly IndexedWord[],
  lexicon: Lexicon,
): Promise<IndexedWord[]> {
  const { dictionaries } = plan;
  const written = words.map((word) => word.written);
  const stems = await lexicon.read(work, new Map(dictionaries.map((name) => [name, written])));
  return words.filter(
    (word) =>
      word.written !== last?.text && dictionaries.every((name) => stems.of(name, word.written) !== null),
  );
}

const hasOtherSpelling = ({ word, written }: IndexedWord): boolean => word !== written;

const mostFrequentFirst = (one: CountedWord, other: CountedWord): number =>
  other.documents - one.documents || one.word.length - other.word.length || (one.word < other.word ? -1 : 1);

/** Those of the words that documents have with the rest of the query, the most frequent first. */
async function counted(
  typed: Typed,
  { last, words }: { readonly last: Token; readonly words: readonly IndexedWord[] },
  steps: CompletionSteps,
): Promise<CompletedQuery[]> {
  const telling = (await tellingWords(typed, words, steps.lexicon)).slice(0, WORDS);
  if (telling.length === 0) return [];
  const context = contextOf(typed);
  const found = await steps.count({ context, words: telling.map(({ word }) => word) });
  const known = new Map(telling.map((word) => [word.word, word]));
  const completing = found.toSorted(mostFrequentFirst).flatMap(({ word }) => known.get(word) ?? []);
  const isCorrected = typed.corrected.some(hasOtherSpelling);
  const spelled = completing.slice(0, typed.limit).filter((word) => isCorrected || hasOtherSpelling(word));
  const samples =
    spelled.length === 0
      ? undefined
      : await steps.samples({ context, words: spelled.map(({ word }) => word) });
  return completing.map((word) => ({
    q: typed.plan.q,
    words: [...typed.corrected, { ...word, token: last }],
    sample: samples?.get(word.word),
  }));
}

/** Words of titles that begin as the last word does, the most frequent first. */
function wordsOfTitles(titles: readonly TitleHit[], beginning: string): string[] {
  const frequencies = new Map<string, number>();
  for (const { title } of titles)
    for (const word of new Set(title.split(' ')))
      if (word.startsWith(beginning) && isInVocabulary(word))
        frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  return [...frequencies]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, TITLE_WORDS)
    .map(([word]) => word);
}

/** The word that is being typed; undefined behind a finished one. */
function unfinishedIn({ q, tokens }: PlannedQuery): Token | undefined {
  const last = tokens.at(-1);
  return last?.end === q.length ? last : undefined;
}

const isCompletable = (token: Token | undefined): token is Token =>
  token !== undefined && !token.isRun && Array.from(token.folded).length > 1;

/** Words of the index and titles that begin with what was typed, or have it. */
export async function findCompletions(
  work: UnitOfWork,
  query: Pick<SearchQuery, 'q' | 'languages' | 'limit'>,
  steps: CompletionSteps,
): Promise<Completions> {
  const plan = await planWords(work, query, steps.lexicon);
  if (plan === null || plan.tokens.length === 0) return NONE;
  const typed = { work, plan, last: unfinishedIn(plan), corrected: [], limit: query.limit };
  const found = await completedBy(typed, steps);
  return isEmpty(found) ? withoutError(typed, steps) : found;
}

async function completedBy(typed: Typed, steps: CompletionSteps): Promise<Completions> {
  const { plan, last } = typed;
  const isAsTyped = typed.corrected.length + plan.excluded.length === 0;
  const beginning = isAsTyped ? `${plan.title}${last === undefined ? ' ' : ''}` : null;
  const titles = await steps.titles({ ...plan, beginning, limit: TITLES });
  if (!isCompletable(last)) return { queries: [], titles };
  const others = wordsOfTitles(titles, last.folded);
  const words = await vocabularyIn(typed).beginning(last.folded, { others, limit: WORDS });
  return { titles, queries: await counted(typed, { last, words }, steps) };
}

const isCorrectable = ({ folded, isRun }: Token): boolean =>
  !isRun && Array.from(folded).length >= SHORTEST_CORRECTED;

/** The query with another word in the place of one that the index has not. */
async function corrections(typed: Typed, { lexicon }: CompletionSteps): Promise<Typed[]> {
  const { work, plan } = typed;
  const words = wordsIn(contextOf(typed).terms).filter(({ token }) => isCorrectable(token));
  const near = await nearWords(
    work,
    words.map(({ folded }) => folded),
  );
  const meant = words.flatMap(({ token, folded }) => {
    const others = (near.get(folded) ?? []).map((other) => ({ ...other, token }));
    return others[0]?.errors === 1 ? others.filter(({ errors }) => errors === 1) : [];
  });
  const few = meant.slice(0, CORRECTIONS);
  const { dictionaries } = plan;
  const all = few.map(({ word }) => word);
  const stems = await lexicon.read(work, new Map(dictionaries.map((name) => [name, all])));
  return few.map((by) => {
    const terms = mapWords(plan.terms, (term) =>
      term.token === by.token
        ? corrected({ ...term, lexemes: [] }, [by.word], { dictionaries, stems })
        : term,
    );
    return { ...typed, plan: { ...plan, terms }, corrected: [by] };
  });
}

/** What is meant if one letter is wrong. */
async function withoutError(typed: Typed, steps: CompletionSteps): Promise<Completions> {
  for (const correction of await corrections(typed, steps)) {
    const found = await completedBy(correction, steps);
    if (!isEmpty(found)) return found;
  }
  const { last } = typed;
  if (last === undefined || !isCorrectable(last)) return NONE;
  const words = await vocabularyIn(typed).withBeginnings(beginningsNear(last.folded));
  const queries = await counted(typed, { last, words }, steps);
  if (queries.length === 0) return NONE;
  const lexemes = queries.flatMap((query) => query.words.map(({ word }) => word));
  const { terms, ...rest } = contextOf(typed);
  const asked = { ...rest, terms: [...terms, lastTerm(last, lexemes)], beginning: null, limit: TITLES };
  return { queries, titles: await steps.titles(asked) };
}

const lastTerm = (token: Token, lexemes: readonly string[]): WordTerm => ({
  kind: 'word',
  token,
  folded: token.folded,
  lexemes,
  compounds: [],
  synonyms: [],
  isPrefix: false,
  pairs: null,
  isStopWord: false,
});

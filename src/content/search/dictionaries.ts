import { spelledOut } from './words.js';

/** Asked for each word of a text. */
function languageOf(locale: string): string {
  const end = locale.indexOf('-');
  return end === -1 ? locale : locale.slice(0, end);
}

/** PostgreSQL's stemmers by language. A database of an older version may lack some. */
const dictionaries: Readonly<Record<string, string>> = {
  ar: 'arabic_stem',
  ca: 'catalan_stem',
  da: 'danish_stem',
  de: 'german_stem',
  el: 'greek_stem',
  en: 'english_stem',
  es: 'spanish_stem',
  et: 'estonian_stem',
  eu: 'basque_stem',
  fi: 'finnish_stem',
  fr: 'french_stem',
  ga: 'irish_stem',
  hi: 'hindi_stem',
  hu: 'hungarian_stem',
  hy: 'armenian_stem',
  id: 'indonesian_stem',
  it: 'italian_stem',
  lt: 'lithuanian_stem',
  nb: 'norwegian_stem',
  ne: 'nepali_stem',
  nl: 'dutch_stem',
  nn: 'norwegian_stem',
  no: 'norwegian_stem',
  pt: 'portuguese_stem',
  ro: 'romanian_stem',
  ru: 'russian_stem',
  sr: 'serbian_stem',
  sv: 'swedish_stem',
  ta: 'tamil_stem',
  tr: 'turkish_stem',
  yi: 'yiddish_stem',
};

/** Undefined for a language without a stemmer. */
export const dictionaryOf = (locale: string): string | undefined => dictionaries[languageOf(locale)];

/** The stemmers of several locales. */
export const dictionariesOf = (locales: readonly string[]): string[] => [
  ...new Set(locales.map(dictionaryOf).filter((name) => name !== undefined)),
];

/** Languages whose letters are also spelled out: Schluessel, Aarhus. */
const SPELLING_OUT: ReadonlySet<string> = new Set(['de', 'lb', 'sv', 'da', 'nb', 'nn', 'no', 'fo', 'is']);

export const spellsOut = (locale: string): boolean => SPELLING_OUT.has(languageOf(locale));

/** Languages that write compounds as one word. */
const COMPOUNDING: ReadonlySet<string> = new Set(['de', 'nl', 'sv', 'da', 'nb', 'nn', 'no']);

export const hasCompounds = (locales: readonly string[]): boolean =>
  locales.some((locale) => COMPOUNDING.has(languageOf(locale)));

/** Between the parts of a compound. */
const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e', 'o', 'a', 'u'];
/** Of words in their forms, without accents. */
const ENDINGS: ReadonlySet<string> = new Set(
  'a ar arna as e em en ene ens er erna erne ern ers es et ets je n na ne nen ns or orna r s t tje'.split(
    ' ',
  ),
);
/** Make other words, but no compounds. */
const PREFIXES =
  'aan all auf aus bei bij con dar des dis door ein emp ent erz for fra gegen her hin ind inn kom kon los med mee mis miss mit mot nach naar ned ont onder opp over per pre pro sub tegen til toe uber uit und under unter upp ver von voor vor weg wider wieder zer';
const SUFFIXES =
  'bar baar chen dom fach haft heid heit hed het ier ieren ing isch isk keit lein lich lig lijk loos sam samt schaft schap skab skap som ung zaam';
const AFFIXES: ReadonlySet<string> = new Set(`${PREFIXES} ${SUFFIXES}`.split(' '));
const VOWEL = /[aeiouy]/;
const SHORTEST_PART = 3;

/** The longer a part is, the shorter may be what is beside it and no word of the index. */
const shortestUnknown = (part: string): number =>
  part.length < 4 ? Infinity : part.length < 6 ? 9 - part.length : 3;

/** What a compound has beside one of its parts. */
export interface CompoundRest {
  readonly left: string;
  readonly right: string;
}

/** Where a word has a part, and what is beside it. */
export function restsBeside(word: string, part: string): CompoundRest[] {
  const rests: CompoundRest[] = [];
  for (let at = word.indexOf(part); at >= 0; at = word.indexOf(part, at + 1))
    rests.push({ left: word.slice(0, at), right: word.slice(at + part.length) });
  return rests.filter(({ left, right }) => left.length >= SHORTEST_PART || right.length >= SHORTEST_PART);
}

const leftForms = (left: string): string[] =>
  LINKS.filter((link) => left.endsWith(link)).map((link) => left.slice(0, left.length - link.length));
const rightForms = (right: string): string[] =>
  LINKS.filter((link) => right.startsWith(link)).map((link) => right.slice(link.length));

/** Words that what is beside a part may be. */
export const wordsBeside = ({ left, right }: CompoundRest): string[] =>
  [...leftForms(left), ...rightForms(right)].filter(({ length }) => length >= SHORTEST_PART);

/** Whether a part and what is beside it make a compound. */
export function isCompound({ left, right }: CompoundRest, part: string, known: ReadonlySet<string>): boolean {
  const isWord = (forms: readonly string[]): boolean =>
    !AFFIXES.has(forms[0] ?? '') &&
    forms.some((form) => known.has(form) || (form.length >= shortestUnknown(part) && VOWEL.test(form)));
  const isLeft = left !== '' && isWord(leftForms(left));
  const isRight = right !== '' && !ENDINGS.has(right) && isWord(rightForms(right));
  return (isLeft && (isRight || right === '' || ENDINGS.has(right))) || (isRight && left === '');
}

/** Longer words are not divided. */
const LONGEST_DIVIDED = 40;

/** All that a compound may consist of. */
export function possibleParts(word: string): string[] {
  const parts: string[] = [];
  if (word.length > LONGEST_DIVIDED) return parts;
  for (let from = 0; from + SHORTEST_PART <= word.length; from += 1)
    for (let to = from + SHORTEST_PART; to <= word.length; to += 1) parts.push(word.slice(from, to));
  return parts;
}

/** The fewest words of the index that make the compound; undefined if they do not. */
export function partsOfCompound(word: string, known: ReadonlySet<string>): readonly string[] | undefined {
  const best = new Map<number, readonly string[]>([[0, []]]);
  for (let from = 0; from < word.length; from += 1) {
    const before = best.get(from);
    if (before === undefined) continue;
    for (let to = word.length; to >= from + SHORTEST_PART; to -= 1) {
      const part = word.slice(from, to);
      if (!known.has(part)) continue;
      for (const link of LINKS) {
        const next = to + link.length;
        const isEnd = next === word.length && link !== '';
        if (isEnd || !word.startsWith(link, to)) continue;
        const former = best.get(next);
        if (former === undefined || former.length > before.length + 1) best.set(next, [...before, part]);
      }
    }
  }
  const parts = best.get(word.length);
  return parts === undefined || parts.length < 2 ? undefined : parts;
}

/** What a stemmer makes of words: a stem without accents; null is a stop word. */
export interface Stems {
  of(dictionary: string, word: string): string | null | undefined;
}

/** All that a word of a text in this locale is found by; the word without accents comes first. */
export function formsOf(
  { text, folded }: { readonly text: string; readonly folded: string },
  locale: string,
  stems: Stems,
): string[] {
  const dictionary = dictionaryOf(locale);
  const spelled = spellsOut(locale) ? spelledOut(text) : undefined;
  const stem = (word: string): string | null | undefined =>
    dictionary === undefined ? undefined : stems.of(dictionary, word);
  const forms = [folded];
  const add = (form: string | null | undefined): void => {
    if (typeof form === 'string' && !forms.includes(form)) forms.push(form);
  };
  add(stem(text));
  if (spelled !== undefined) {
    add(spelled);
    add(stem(spelled));
  }
  return forms;
}

/** Words whose stems the forms of a word need. */
export const wordsToStem = (text: string, locale: string): string[] => {
  const spelled = spellsOut(locale) ? spelledOut(text) : undefined;
  return spelled === undefined ? [text] : [text, spelled];
};

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
export const dictionaryOf = (locale: string): string | undefined =>
  dictionaries[locale.split('-', 1)[0] ?? ''];

/** The stemmers of several locales. */
export const dictionariesOf = (locales: readonly string[]): string[] => [
  ...new Set(locales.map(dictionaryOf).filter((name) => name !== undefined)),
];

/** What a stemmer makes of words: a stem without accents; null is a stop word. */
export interface Stems {
  of(dictionary: string, word: string): string | null | undefined;
}

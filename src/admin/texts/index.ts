import { en, type Texts } from './en/index.js';
import { ownTimeZone } from './own-time-zone.js';

export type TextKey = keyof Texts;

/** Each language but the first is a separate chunk. */
const catalogues = {
  en: () => en,
  de: async () => (await import('./de/index.js')).de,
} satisfies Record<string, () => Texts | Promise<Texts>>;
export type Language = keyof typeof catalogues;
export const languages: readonly { readonly code: Language; readonly name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'de', name: 'Deutsch' },
];

const KEY = 'headwater.language';
const isLanguage = (code: string): code is Language => Object.hasOwn(catalogues, code);

function chosen(): Language {
  const codes = [localStorage.getItem(KEY) ?? '', ...navigator.languages.map((code) => code.slice(0, 2))];
  return codes.find(isLanguage) ?? 'en';
}

export const language: Language = chosen();
document.documentElement.lang = language;
let texts: Texts = en;

/** Before anything is shown. */
export async function loadTexts(): Promise<void> {
  texts = await catalogues[language]();
}

/** Texts are read while components render, so the page is loaded again. */
export function chooseLanguage(code: Language): void {
  localStorage.setItem(KEY, code);
  location.reload();
}

type TextValues = Readonly<Record<string, string | number>>;

const fill = (text: string, values: TextValues): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));

/** `{name}` in a text is replaced by the value of that name. */
export const t = (key: TextKey, values: TextValues = {}): string => fill(texts[key], values);

/** Texts that are loaded with the screen that shows them. */
export const ownTexts =
  <Key extends string>(own: Readonly<Record<Language, Readonly<Record<Key, string>>>>) =>
  (key: Key, values: TextValues = {}): string =>
    fill(own[language][key], values);

/** The text of a key that is made from names of the service, if there is one. */
export const maybeText = (key: string, values?: Parameters<typeof t>[1]): string | undefined =>
  Object.hasOwn(en, key) ? t(key as TextKey, values) : undefined;

/** The text of an error code, else what the service says. */
export const failureText = (code: string, message: string): string => maybeText(`failure.${code}`) ?? message;

const dateAndTime = new Intl.DateTimeFormat(language, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: ownTimeZone,
});
export const formatTime = (instant: string): string => dateAndTime.format(new Date(instant));

const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
/** @param date such as `2027-01-31` */
export const formatDay = (date: string): string => day.format(new Date(date));

const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: ownTimeZone });
export const formatClock = (instant: string): string => clock.format(new Date(instant));

const number = new Intl.NumberFormat(language);
export const formatNumber = (value: number): string => number.format(value);

const list = new Intl.ListFormat(language, { type: 'conjunction' });
/** Such as "create, update and publish". */
export const listText = (parts: readonly string[]): string => list.format(parts);

const localeNames = new Intl.DisplayNames(language, { type: 'language' });
/** Such as "German (de)". */
export const localeName = (code: string): string => `${localeNames.of(code) ?? code} (${code})`;

const bytes = new Intl.NumberFormat(language, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });
export const formatBytes = (size: number): string => bytes.format(Math.max(1, size / 1000));

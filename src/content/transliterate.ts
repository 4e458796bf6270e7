import anyAscii from 'any-ascii';

type Table = Readonly<Record<string, string>>;

const german: Table = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };
const nordic: Table = { æ: 'ae', ø: 'oe', å: 'aa', ä: 'ae', ö: 'oe' };
const southSlavic: Table = {
  ...{ đ: 'dj', ђ: 'dj', ж: 'z', ј: 'j', љ: 'lj', њ: 'nj', ћ: 'c', х: 'h', ц: 'c', ч: 'c', џ: 'dz', ш: 's' },
};

/** In small letters, where a language has another custom than the script as a whole (`any-ascii`). */
const tables: Readonly<Record<string, Table>> = {
  de: german,
  lb: german,
  gsw: german,
  da: nordic,
  nb: nordic,
  nn: nordic,
  no: nordic,
  sr: southSlavic,
  hr: southSlavic,
  bs: southSlavic,
  ca: { '·': '' },
  az: { ə: 'e' },
  el: { ου: 'ou', ού: 'ou' },
  uk: {
    ...{
      г: 'h',
      ґ: 'g',
      зг: 'zgh',
      є: 'ie',
      и: 'y',
      ї: 'i',
      й: 'i',
      х: 'kh',
      ц: 'ts',
      щ: 'shch',
      ю: 'iu',
      я: 'ia',
    },
    ...{ ь: '', '’': '', ʼ: '', "'": '' },
  },
  be: { г: 'h', ё: 'io', і: 'i', й: 'i', ў: 'u', х: 'kh', ц: 'ts', ы: 'y', э: 'e', ю: 'iu', я: 'ia', ь: '' },
  bg: { ж: 'zh', й: 'y', х: 'h', ц: 'ts', ч: 'ch', ш: 'sh', щ: 'sht', ъ: 'a', ь: 'y', ю: 'yu', я: 'ya' },
  mk: {
    ...{
      ѓ: 'gj',
      ж: 'zh',
      ѕ: 'dz',
      ј: 'j',
      љ: 'lj',
      њ: 'nj',
      ќ: 'kj',
      х: 'h',
      ц: 'c',
      ч: 'ch',
      џ: 'dj',
      ш: 'sh',
    },
  },
};

/** At the beginning of a word. */
const beginnings: Readonly<Record<string, Table>> = {
  uk: { є: 'ye', ї: 'yi', й: 'y', ю: 'yu', я: 'ya' },
};

type Replace = (text: string) => string;

function replacing(table: Table, where = ''): Replace {
  const keys = Object.keys(table).sort((a, b) => b.length - a.length);
  const found = new RegExp(`${where}(?:${keys.join('|')})`, 'gu');
  return (text) => text.replace(found, (key) => table[key] ?? key);
}

const noLetterBefore = String.raw`(?<![\p{L}\p{M}'’ʼ])`;
const replacements: ReadonlyMap<string, readonly Replace[]> = new Map(
  Object.entries(tables).map(([language, table]) => {
    const begun = beginnings[language];
    return [language, [...(begun ? [replacing(begun, noLetterBefore)] : []), replacing(table)]];
  }),
);

const languageOf = (locale: string | undefined): string => locale?.split('-')[0] ?? '';

/** Characters of Chinese origin have several readings in Japanese, which only a dictionary knows. */
const HAN = /\p{Script=Han}/u;

/** Whether letters stay as they are, because their reading is unknown. */
const keepsScript = (text: string, locale: string | undefined): boolean =>
  languageOf(locale) === 'ja' && HAN.test(text);

/** In small letters; in Latin ones as the language of the locale writes them, except Japanese with Chinese characters. */
export function transliterate(given: string, locale?: string): string {
  const text = given.normalize('NFC').toLowerCase();
  if (keepsScript(text, locale))
    return text
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .toLowerCase()
      .normalize('NFC');
  const replaced = (replacements.get(languageOf(locale)) ?? []).reduce((now, replace) => replace(now), text);
  return anyAscii(replaced).toLowerCase();
}

/**
 * SQL of a string value in the order of Unicode, which is the same on every server, whatever the collation of its
 * database. Lower case comes before upper case, and accents count only between equal letters.
 */
export const inTextOrder = <const Sql extends string>(sql: Sql): `${Sql} COLLATE "und-x-icu"` =>
  `${sql} COLLATE "und-x-icu"`;

/** English adds nothing to the order of Unicode. */
const collator = new Intl.Collator('en');

/** The same order, of strings in memory. */
export const compareTexts = (one: string, other: string): number => collator.compare(one, other);

/** The forms in which devices write the same characters; one for plain letters. NFC, in which texts are compared, is the first. */
export const textForms = (text: string): string[] => [
  ...new Set([text.normalize('NFC'), text.normalize('NFD'), text]),
];

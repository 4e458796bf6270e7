/**
 * SQL of a text in the order of Unicode: the same on every server, whatever the collation of its database. Small letters
 * come before capitals, and accents matter only between equal letters.
 */
export const inTextOrder = (text: string): string => `${text} COLLATE "und-x-icu"`;

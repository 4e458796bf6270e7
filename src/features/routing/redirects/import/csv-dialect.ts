/** How a file separates cells, and where its records start. */
export interface CsvDialect {
  readonly delimiter: string;
  /** After the line `sep=`, which names the delimiter for spreadsheets. */
  readonly start: number;
}

const DELIMITERS = [',', ';', '\t'] as const;
const DECLARED = /^"?sep=([^"\r\n])"?(?:\r\n|\r|\n|$)/i;

/** Only this much of a longer header is read. */
const HEADER_LENGTH = 65_536;

/** The most frequent delimiter outside quotes in the first record; a comma if there is none. */
function frequentDelimiter(text: string): string {
  const counts = new Map<string, number>(DELIMITERS.map((one) => [one, 0]));
  let isQuoted = false;
  for (const character of text.slice(0, HEADER_LENGTH).replace(/^[\r\n]+/, '')) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '\r' || character === '\n') break;
    const count = counts.get(character);
    if (count !== undefined) counts.set(character, count + 1);
  }
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}

/** @param text without a byte order mark */
export function csvDialect(text: string): CsvDialect {
  const declared = DECLARED.exec(text);
  if (declared === null) return { delimiter: frequentDelimiter(text), start: 0 };
  const [line, delimiter = ','] = declared;
  return { delimiter, start: line.length };
}

/** What starts a formula in spreadsheets, also after white space: full-width forms and pipes included. */
const FORMULA_START = '(?:[\\t\\r\\n]|\\s*[=+\\-@|\uFF1D\uFF0B\uFF0D\uFF20\uFF5C])';
const needsEscape = new RegExp(`^'*${FORMULA_START}`);
const isEscaped = new RegExp(`^'+${FORMULA_START}`);

/** Prefixes an apostrophe; existing ones get one more, so that {@link unescapeFormula} is exact. */
export function escapeFormula(cell: string): string {
  return needsEscape.test(cell) ? `'${cell}` : cell;
}

export function unescapeFormula(cell: string): string {
  return isEscaped.test(cell) ? cell.slice(1) : cell;
}

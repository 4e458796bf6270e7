/** Characters that start a formula in spreadsheets, including full-width forms. */
const FORMULA_START = '[=+\\-@\\t\\r\\n\uFF1D\uFF0B\uFF0D\uFF20]';
const needsEscape = new RegExp(`^'*${FORMULA_START}`);
const isEscaped = new RegExp(`^'+${FORMULA_START}`);

/** Prefixes an apostrophe; existing ones get one more, so that {@link unescapeFormula} is exact. */
export function escapeFormula(cell: string): string {
  return needsEscape.test(cell) ? `'${cell}` : cell;
}

export function unescapeFormula(cell: string): string {
  return isEscaped.test(cell) ? cell.slice(1) : cell;
}

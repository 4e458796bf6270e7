/** What spreadsheets take for the beginning of a formula, full-width forms among it. */
const FORMULA_START = '[=+\\-@\\t\\r\\n\uFF1D\uFF0B\uFF0D\uFF20]';
const needsEscape = new RegExp(`^'*${FORMULA_START}`);
const isEscaped = new RegExp(`^'+${FORMULA_START}`);

/**
 * A cell that no spreadsheet runs as a formula: an apostrophe stands before it. Cells that already
 * have apostrophes there get one more, so that {@link unescapeFormula} gives every cell back exactly.
 */
export function escapeFormula(cell: string): string {
  return needsEscape.test(cell) ? `'${cell}` : cell;
}

/** The cell that {@link escapeFormula} was given. */
export function unescapeFormula(cell: string): string {
  return isEscaped.test(cell) ? cell.slice(1) : cell;
}

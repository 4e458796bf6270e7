import { rewriteConfluence } from './confluence-markup.js';
import { joinLists, removeEmptyLines, rewriteForeignMarkup } from './foreign-markup.js';
import { elementsOf, type HtmlElement } from './html-dom.js';
import type { HtmlTally } from './html-tally.js';
import { reduceStyles } from './inline-styles.js';
import { buildWordLists } from './word-lists.js';

/**
 * Rewrites HTML as browsers, word processors and other editors write it to the elements and styles that the parse
 * rules of the schema know. Counts what it drops.
 */
export function normalizeHtml(root: HtmlElement, tally: HtmlTally): void {
  rewriteForeignMarkup(root, tally);
  rewriteConfluence(root, tally);
  buildWordLists(elementsOf(root));
  const elements = elementsOf(root);
  joinLists(elements);
  removeEmptyLines(elements);
  reduceStyles(elements, tally);
}

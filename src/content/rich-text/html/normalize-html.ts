import { declarationsOf, markStyles } from '../mark-styles.js';
import { elementsOf, type HtmlElement } from './html-dom.js';
import type { HtmlTally } from './html-tally.js';
import { rewriteConfluence } from './confluence-markup.js';
import { joinLists, removeEmptyLines, rewriteForeignMarkup } from './foreign-markup.js';
import { buildWordLists } from './word-lists.js';

/** Elements that are bold by themselves. */
const strongTags: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'th']);

const read = Object.values(markStyles);

function isInLink(element: HtmlElement, links: WeakSet<HtmlElement>): boolean {
  const isWithin = element.parentElement !== null && links.has(element.parentElement);
  if (!isWithin && element.localName !== 'a') return false;
  links.add(element);
  return true;
}

/**
 * Leaves of the styles of elements what means a mark, and counts what else said something. Word's own properties say
 * nothing to others. Headings are bold and links underlined without a mark.
 * @param elements in the order of the document
 */
function reduceStyles(elements: readonly HtmlElement[], tally: HtmlTally): void {
  const links = new WeakSet<HtmlElement>();
  for (const element of elements) {
    const inLink = isInLink(element, links);
    const style = element.getAttribute('style');
    if (style === null) continue;
    const declarations = declarationsOf(style);
    const line = declarations.get('text-decoration-line');
    if (line !== undefined && !declarations.has('text-decoration')) declarations.set('text-decoration', line);
    const kept = new Map<string, string>();
    for (const { property, on, off } of read) {
      const value = declarations.get(property);
      if (value !== undefined && (on.test(value) || off.test(value))) kept.set(property, value);
    }
    if (strongTags.has(element.localName)) kept.delete('font-weight');
    if (inLink && markStyles.underline?.on.test(kept.get('text-decoration') ?? '') === true)
      kept.set('text-decoration', (kept.get('text-decoration') ?? '').replace('underline', ''));
    const isRead = (property: string) =>
      property.startsWith('mso-') || property.startsWith('text-decoration') || kept.has(property);
    if (![...declarations.keys()].every(isRead)) tally.dropAttribute('style');
    if (kept.size === 0) element.removeAttribute('style');
    else element.setAttribute('style', [...kept].map(([name, value]) => `${name}:${value}`).join(';'));
  }
}

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

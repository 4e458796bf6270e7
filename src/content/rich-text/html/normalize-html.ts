import { declarationsOf, markStyles } from '../mark-styles.js';
import {
  elementsOf,
  type HtmlElement,
  classesOf,
  elementBefore,
  setStyle,
  styleOf,
  isElement,
  TEXT_NODE,
  type HtmlNode,
} from './html-dom.js';
import type { HtmlTally } from './html-tally.js';
import { rewriteConfluence } from './confluence-markup.js';
import { joinLists, removeEmptyLines, rewriteForeignMarkup } from './foreign-markup.js';

/** An item of a list that its source writes as a paragraph, or as a separate list. */
interface LooseItem {
  /** From 1. */
  readonly level: number;
  readonly isOrdered: boolean;
  /** The number that it shows. */
  readonly number: number;
  /** Items of another list have another key. */
  readonly key: string;
  readonly content: readonly HtmlNode[];
}

interface OpenList {
  readonly level: number;
  readonly isOrdered: boolean;
  readonly key: string;
  readonly list: HtmlElement;
  last: HtmlElement;
}

/** Makes nested lists of items that come one after the other. */
class ListBuilder {
  #open: OpenList[] = [];

  /** The outermost list, which further items follow. */
  get root(): HtmlElement | undefined {
    return this.#open[0]?.list;
  }

  /** The item that was added last. */
  get last(): HtmlElement | undefined {
    return this.#open.at(-1)?.last;
  }

  close(): void {
    this.#open = [];
  }

  /** Puts an item in the place of the element that it was, in the list that it continues or in a new one. */
  add(element: HtmlElement, item: LooseItem): void {
    const isEnded = ({ level, isOrdered, key }: OpenList) =>
      level > item.level || (level === item.level && (isOrdered !== item.isOrdered || key !== item.key));
    while (this.#open.length > 0 && isEnded(this.#open.at(-1)!)) this.#open.pop();
    const made = element.ownerDocument.createElement('li');
    const innermost = this.#open.at(-1);
    if (innermost?.level === item.level) {
      innermost.list.append(made);
      innermost.last = made;
    } else this.#begin(element, { item, made });
    made.append(...item.content);
    if (!item.content.includes(element)) element.remove();
  }

  #begin(
    element: HtmlElement,
    { item, made }: { readonly item: LooseItem; readonly made: HtmlElement },
  ): void {
    const { level, isOrdered, key, number } = item;
    const list = element.ownerDocument.createElement(isOrdered ? 'ol' : 'ul');
    if (isOrdered && number !== 1) list.setAttribute('start', String(number));
    const parent = this.last;
    if (parent === undefined) element.before(list);
    else parent.append(list);
    list.append(made);
    this.#open.push({ level, isOrdered, key, list, last: made });
  }
}

const wordStyles = (element: HtmlElement) => declarationsOf(styleOf(element));

/** A number or letter that counts, with what surrounds it: `1.`, `(a)`, `iv)`, `2.1.`. */
const counting = /^\(?(?:\d+\.)*(\d{1,4}|[a-z]{1,6})[.)]?\)?$/i;
/** A mark and the gap after it at the start of a paragraph; the gap tells it from text. */
const leading = /^[\s\u00a0]*([·•▪▫◦○●■□§oØü–-]|\(?(?:\d{1,4}|[a-z]{1,4})[.)])(?:\u00a0|\s{2})[\s\u00a0]*/i;

const romans: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };

function romanNumber(letters: string): number {
  const values = [...letters].map((letter) => romans[letter] ?? 0);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}

function numberOf(mark: string): number {
  const counted = mark.toLowerCase();
  if (/^\d+$/.test(counted)) return Number(counted);
  if (/^[ivxlcdm]+$/.test(counted) && (counted.length > 1 || counted === 'i')) return romanNumber(counted);
  return counted.charCodeAt(0) - 96;
}

/** Whether the mark of an item counts, and the number that it shows. */
function countOf(mark: string): Pick<LooseItem, 'isOrdered' | 'number'> {
  const [, counted] = counting.exec(mark) ?? [];
  const isOrdered = counted !== undefined && mark !== counted;
  return { isOrdered, number: isOrdered ? numberOf(counted) : 1 };
}

/** Takes the element out that Word writes for programs without lists of their own. */
function takeMark(paragraph: HtmlElement): string | undefined {
  const ignored = elementsOf(paragraph).find((element) => wordStyles(element).get('mso-list') === 'ignore');
  if (ignored === undefined) return undefined;
  ignored.remove();
  return (ignored.textContent ?? '').replace(/[\s\u00a0]+/g, '');
}

function textsIn(node: HtmlNode): HtmlNode[] {
  if (node.nodeType === TEXT_NODE) return [node];
  return isElement(node) ? [...node.childNodes].flatMap(textsIn) : [];
}

/** Takes the mark from the text of a paragraph that lost Word's own properties. */
function takeTypedMark(paragraph: HtmlElement): string | undefined {
  const [found, mark] = leading.exec(paragraph.textContent ?? '') ?? [];
  if (found === undefined) return undefined;
  let remaining = found.length;
  for (const text of textsIn(paragraph)) {
    const before = text.textContent ?? '';
    text.textContent = before.slice(remaining);
    remaining -= before.length - text.textContent.length;
    if (remaining <= 0) break;
  }
  return mark;
}

const pointsOf: Readonly<Record<string, number>> = { in: 72, cm: 28.35, mm: 2.835, pt: 1, px: 0.75 };

/** Word indents an item by half an inch per level. */
function levelByMargin(styles: ReadonlyMap<string, string>): number {
  const [, size, unit] = /^([\d.]{1,8})(in|cm|mm|pt|px)$/.exec(styles.get('margin-left') ?? '') ?? [];
  const points = Number(size ?? 36) * (pointsOf[unit ?? 'pt'] ?? 1);
  return Math.min(9, Math.max(1, Math.round(points / 36)));
}

const isListParagraph = (element: HtmlElement): boolean =>
  element.localName === 'p' && classesOf(element).some((name) => /^MsoListParagraph/i.test(name));

/** The item that a paragraph of Word is. */
function itemOf(paragraph: HtmlElement): LooseItem | undefined {
  if (paragraph.localName !== 'p') return undefined;
  const styles = wordStyles(paragraph);
  const [, level] = /\blevel(\d)\b/.exec(styles.get('mso-list') ?? '') ?? [];
  if (level === undefined && !isListParagraph(paragraph)) return undefined;
  const mark = takeMark(paragraph) ?? takeTypedMark(paragraph);
  if (mark === undefined && level === undefined) return undefined;
  return {
    ...countOf(mark ?? ''),
    level: level === undefined ? levelByMargin(styles) : Number(level),
    key: styles.get('mso-list')?.replace(/\s*level\d\s*/, ' ') ?? '',
    content: [paragraph],
  };
}

/** The items of a list of Word for the web, which writes a list for each item. */
function itemsOfWrapper(wrapper: HtmlElement): LooseItem[] {
  return elementsOf(wrapper)
    .filter((element) => element.localName === 'li')
    .map((element) => ({
      level: Math.min(9, Math.max(1, Number(element.getAttribute('data-aria-level')) || 1)),
      isOrdered: element.parentElement?.localName === 'ol',
      number: Number(element.getAttribute('data-aria-posinset')) || 1,
      key: element.getAttribute('data-listid') ?? '',
      content: [...element.childNodes],
    }));
}

const isWrapper = (element: HtmlElement): boolean => classesOf(element).includes('ListContainerWrapper');

/** Puts the items of a list of Word for the web before it, and removes it. */
function addWrapper(wrapper: HtmlElement, builder: ListBuilder): void {
  for (const item of itemsOfWrapper(wrapper)) {
    const place = wrapper.ownerDocument.createElement('p');
    wrapper.before(place);
    builder.add(place, item);
  }
  wrapper.remove();
}

/** Makes lists of the paragraphs that Word writes for items. Expects the styles as they were written. */
function buildWordLists(elements: readonly HtmlElement[]): void {
  const builder = new ListBuilder();
  for (const element of elements) {
    const item = itemOf(element);
    if (item === undefined && !isListParagraph(element) && !isWrapper(element)) continue;
    const isNext = builder.root !== undefined && elementBefore(element) === builder.root;
    if (!isNext) builder.close();
    if (item !== undefined) builder.add(element, item);
    else if (isWrapper(element)) addWrapper(element, builder);
    else if (isNext) builder.last?.append(element);
  }
}

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
    const style = styleOf(element);
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
    setStyle(element, [...kept].map(([name, value]) => `${name}:${value}`).join(';'));
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

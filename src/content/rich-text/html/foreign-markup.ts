import { declarationsOf } from '../mark-styles.js';
import {
  classesOf,
  elementBefore,
  elementsOf,
  isBlank,
  isElement,
  isMention,
  retag,
  styleOf,
  unwrap,
  type HtmlElement,
  type HtmlNode,
} from './html-dom.js';
import type { HtmlTally } from './html-tally.js';

/** linkedom keeps the case of attributes; browsers do not. */
function lowerNames(element: HtmlElement): void {
  for (const name of element.getAttributeNames()) {
    const lower = name.toLowerCase();
    if (lower === name) continue;
    const value = element.getAttribute(name) ?? '';
    element.removeAttribute(name);
    if (element.getAttribute(lower) === null) element.setAttribute(lower, value);
  }
}

const HIGHEST_LEVEL = 6;

/** The level of a paragraph that a class, a role or a style makes a heading. */
function headingLevel(element: HtmlElement, styles: ReadonlyMap<string, string>): number | undefined {
  if (element.getAttribute('role') === 'heading') return Number(element.getAttribute('aria-level')) || 2;
  if (element.localName !== 'p') return undefined;
  const classes = classesOf(element);
  if (classes.includes('MsoTitle') || classes.includes('title')) return 1;
  const [, named] = classes.map((name) => /^(?:Mso)?Heading-?([1-9])$/i.exec(name)).find(Boolean) ?? [];
  const [, outlined] = /^([1-9])$/.exec(styles.get('mso-outline-level') ?? '') ?? [];
  const level = named ?? outlined;
  return level === undefined ? undefined : Number(level);
}

const isHidden = (element: HtmlElement, styles: ReadonlyMap<string, string>): boolean =>
  styles.get('display') === 'none' ||
  styles.get('mso-hide') === 'all' ||
  element.getAttribute('hidden') !== null;

/** Word's smart tags, structured parts and empty paragraphs; they say nothing to a reader. */
const wordWrapper = /^(?:o:p|st\d+:.+|w:(?:sdt|sdtcontent|ins|smarttag))$/;

const isSpace = ({ textContent }: HtmlNode): boolean => /^[\s\u00a0]*$/.test(textContent ?? '');

/** The space between words that editors write as no-break spaces. */
const isWordSpace = (element: HtmlElement, styles: ReadonlyMap<string, string>): boolean =>
  element.localName === 'span' &&
  (styles.has('mso-spacerun') ||
    styles.has('mso-tab-count') ||
    classesOf(element).some((name) => /^Apple-(?:converted-space|tab-span)$/.test(name))) &&
  isSpace(element);

/** Links of an exported Google document lead through its own redirect. */
function directLink(link: HtmlElement): void {
  const [, address] =
    /^https:\/\/www\.google\.com\/url\?(?:[^#]*&)?q=([^&#]+)/.exec(link.getAttribute('href') ?? '') ?? [];
  if (address === undefined) return;
  try {
    link.setAttribute('href', decodeURIComponent(address));
  } catch {
    // Not an encoded address: the link stays as it is.
  }
}

const DONE = '☑ ';
const OPEN = '☐ ';

/** What is left of a check box that a to-do list shows. */
function checkBox(element: HtmlElement): string | undefined {
  const classes = classesOf(element);
  if (element.localName === 'input' && element.getAttribute('type')?.toLowerCase() === 'checkbox')
    return element.getAttribute('checked') === null ? OPEN : DONE;
  if (classes.includes('checkbox')) return classes.includes('checkbox-on') ? DONE : OPEN;
  return undefined;
}

/** The innermost paragraph or division that the text of an element starts in. */
function firstLine(element: HtmlElement): HtmlElement {
  for (const node of element.childNodes) {
    if (isBlank(node)) continue;
    const isLine = isElement(node) && ['p', 'div', 'label'].includes(node.localName);
    return isLine ? firstLine(node) : element;
  }
  return element;
}

/** Puts a box before the text of its item. */
function showBox(element: HtmlElement, box: string): void {
  const label = element.parentElement;
  const frame = label?.localName === 'label' && isBlank(label) ? label : element;
  const item = frame.parentElement;
  if (item?.localName === 'li') {
    frame.remove();
    firstLine(item).prepend(box);
  } else frame.replaceWith(box);
}

/** Boxes that set a remark apart. */
const isCallout = (element: HtmlElement): boolean =>
  classesOf(element).some((name) => name === 'callout' || name === 'confluence-information-macro');

function rewriteCallout(box: HtmlElement): void {
  for (const title of box.children) {
    if (title.localName !== 'p' || !classesOf(title).includes('title')) continue;
    const strong = box.ownerDocument.createElement('strong');
    strong.append(...title.childNodes);
    title.append(strong);
    title.removeAttribute('class');
  }
  retag(box, 'blockquote');
}

/** Confluence names the language of code in its own way. */
function nameLanguage(pre: HtmlElement): void {
  const [, language] =
    /\bbrush:\s*([\w+#-]{1,100})/.exec(pre.getAttribute('data-syntaxhighlighter-params') ?? '') ?? [];
  if (language !== undefined) pre.setAttribute('class', `language-${language}`);
}

/** A table has no caption here; its text comes before it. */
function captionBefore(caption: HtmlElement): void {
  const table = caption.parentElement;
  if (table?.localName !== 'table') return;
  const paragraph = retag(caption, 'p');
  table.before(paragraph);
}

const isTask = (element: HtmlElement): boolean =>
  element.localName === 'li' &&
  element.parentElement !== null &&
  classesOf(element.parentElement).includes('inline-task-list');

function rewrite(element: HtmlElement, tally: HtmlTally): void {
  lowerNames(element);
  const tag = element.localName;
  const styles = declarationsOf(styleOf(element));
  if (isHidden(element, styles)) {
    tally.dropTag(`${tag} (hidden)`);
    element.remove();
    return;
  }
  const box = checkBox(element);
  const level = headingLevel(element, styles);
  if (wordWrapper.test(tag)) {
    if (isSpace(element)) element.remove();
    else unwrap(element);
  } else if (box !== undefined) showBox(element, box);
  else if (isTask(element)) firstLine(element).prepend(classesOf(element).includes('checked') ? DONE : OPEN);
  else if (isWordSpace(element, styles)) element.replaceWith(' ');
  else if (styles.get('display') === 'contents') unwrap(element);
  else if (level !== undefined) retag(element, `h${String(Math.min(level, HIGHEST_LEVEL))}`);
  else if (isCallout(element)) rewriteCallout(element);
  else if (tag === 'caption') captionBefore(element);
  else if (tag === 'a') directLink(element);
  else if (tag === 'pre') nameLanguage(element);
}

/** Rewrites what editors write in ways of their own to the elements of HTML that say the same. */
export function rewriteForeignMarkup(root: HtmlElement, tally: HtmlTally): void {
  for (const element of elementsOf(root)) rewrite(element, tally);
}

/** Classes of lists that Notion writes for each item. */
const itemLists = ['bulleted-list', 'to-do-list', 'toggle'];

const startOf = (list: HtmlElement): number => Number(list.getAttribute('start') ?? 1);

function continues(list: HtmlElement, before: HtmlElement): boolean {
  if (list.localName !== before.localName) return false;
  if (list.localName === 'ol') return startOf(list) === startOf(before) + before.children.length;
  const classes = classesOf(before);
  return itemLists.some((name) => classes.includes(name) && classesOf(list).includes(name));
}

/** Joins lists of one item each that continue one another. */
export function joinLists(elements: readonly HtmlElement[]): void {
  for (const list of elements) {
    if (list.localName !== 'ol' && list.localName !== 'ul') continue;
    const before = elementBefore(list);
    if (before === null || !continues(list, before)) continue;
    before.append(...list.childNodes);
    list.remove();
  }
}

/** Removes paragraphs that only keep a line free. */
export function removeEmptyLines(elements: readonly HtmlElement[]): void {
  for (const paragraph of elements) {
    if (paragraph.localName !== 'p' || !isBlank(paragraph)) continue;
    const isSpacing = elementsOf(paragraph).every(
      (element) => ['br', 'span'].includes(element.localName) && !isMention(element),
    );
    if (isSpacing && paragraph.children.length > 0) paragraph.remove();
  }
}

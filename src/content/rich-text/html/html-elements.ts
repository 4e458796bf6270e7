import type { TagParseRule } from 'prosemirror-model';
import { markAttributes, nodeAttributes, type AttributeRules } from '../attributes.js';
import { richTextSchema } from '../document-tree.js';
import { isSafeHref } from '../safe-href.js';
import type { HtmlTally } from './html-tally.js';

/** The part of a DOM element that the conversion uses. */
export interface HtmlElement {
  readonly localName: string;
  readonly children: Iterable<HtmlElement>;
  readonly childNodes: ArrayLike<HtmlText>;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
  readonly textContent: string;
  readonly previousSibling: HtmlSibling | null;
  readonly nextSibling: HtmlSibling | null;
  readonly parentElement: HtmlElement | null;
  readonly ownerDocument: { createElement(tag: string): HtmlElement };
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  replaceWith(other: HtmlElement | string): void;
  remove(): void;
}

interface HtmlText {
  readonly nodeType: number;
  textContent: string;
}

type HtmlSibling = HtmlText & Pick<HtmlElement, 'localName' | 'previousSibling' | 'nextSibling'>;

const TEXT_NODE = 3;
/** White space that HTML collapses; a no-break space is not among it. */
const blank = /^[ \t\r\n\f]*$/;

const tagsOf = (
  specs: Readonly<Record<string, { readonly spec: { readonly parseDOM?: unknown } }>>,
): string[] =>
  Object.values(specs).flatMap(({ spec }) =>
    ((spec.parseDOM ?? []) as TagParseRule[]).map(({ tag }) => tag.replace(/\[.*/, '')),
  );

const nodeTags: ReadonlySet<string> = new Set(tagsOf(richTextSchema.nodes));
const markTags: ReadonlySet<string> = new Set(tagsOf(richTextSchema.marks));
/** Elements that start a new line, converted or not. */
const blockTags: ReadonlySet<string> = new Set([
  ...[...nodeTags].filter((tag) => tag !== 'br'),
  ...['address', 'article', 'aside', 'div', 'figure', 'footer', 'form', 'header', 'main', 'nav', 'section'],
]);
/** Elements whose text is not content. */
const invisibleTags: ReadonlySet<string> = new Set([
  'script',
  'style',
  'head',
  'title',
  'noscript',
  'object',
  'template',
]);

const cell = nodeAttributes.tableCell ?? {};
const keptAttributes: Readonly<Record<string, AttributeRules>> = {
  a: markAttributes.link ?? {},
  ol: { start: nodeAttributes.orderedList?.start ?? { isGood: () => false, hint: '' } },
  td: cell,
  th: cell,
};

interface Cleaning {
  readonly tally: HtmlTally;
  /** Ids of assets by the `src` of images. */
  readonly pictures: ReadonlyMap<string, string>;
}

class ElementCleaner {
  readonly tally: HtmlTally;
  readonly #pictures: ReadonlyMap<string, string>;

  constructor({ tally, pictures }: Cleaning) {
    this.tally = tally;
    this.#pictures = pictures;
  }

  visitChildren(parent: HtmlElement, isInPre: boolean): void {
    for (const element of [...parent.children]) this.#visit(element, isInPre);
  }

  #visit(element: HtmlElement, isInPre: boolean): void {
    const tag = element.localName;
    if (invisibleTags.has(tag) || isSpacing(element)) {
      this.tally.dropTag(tag);
      element.remove();
      return;
    }
    if (tag === 'img' && this.#showPicture(element, isInPre)) return;
    if (tag === 'pre') dropFirstLineBreak(element);
    if (tag === 'a') cleanHref(element);
    if (isConverted(element, isInPre)) this.tally.convertTag(tag);
    else this.tally.dropTag(tag);
    this.#countAttributes(element, isInPre);
    this.visitChildren(element, isInPre || tag === 'pre');
  }

  /** Puts an embed in place of a known picture; code, which is plain text, gets its alternative text. */
  #showPicture(image: HtmlElement, isInPre: boolean): boolean {
    const assetId = this.#pictures.get(image.getAttribute('src') ?? '');
    if (assetId === undefined) return false;
    this.tally.convertTag('img');
    if (isInPre) {
      image.replaceWith(image.getAttribute('alt') ?? '');
      return true;
    }
    const figure = image.ownerDocument.createElement('figure');
    figure.setAttribute('data-asset', assetId);
    wrapperOf(image).replaceWith(figure);
    return true;
  }

  #countAttributes(element: HtmlElement, isInPre: boolean): void {
    const tag = element.localName;
    for (const { name, value } of element.attributes) {
      if (tag === 'a' && name === 'href') this.#countLink(value, isInPre);
      else if (!isKept(tag, name, value) && !namesLanguage(element, value, isInPre))
        this.tally.dropAttribute(name);
    }
  }

  #countLink(href: string, isInPre: boolean): void {
    if (isInPre) this.tally.dropAttribute('href');
    else if (!isSafeHref(href)) this.tally.refuseLink(href);
    else if (href.startsWith('#')) this.tally.linkToFragment(href.slice(1));
  }
}

const wrapperTags: ReadonlySet<string> = new Set([...markTags, 'p', 'span']);

/** The outermost paragraph or mark that holds nothing but the image; an embed is a block. */
function wrapperOf(image: HtmlElement): HtmlElement {
  const parent = image.parentElement;
  const isAlone =
    parent !== null &&
    wrapperTags.has(parent.localName) &&
    blank.test(parent.textContent) &&
    [...parent.children].length === 1;
  return isAlone ? wrapperOf(parent) : image;
}

/** Code blocks contain plain text; an anchor without a URL is not a link. */
function isConverted(element: HtmlElement, isInPre: boolean): boolean {
  const tag = element.localName;
  if (nodeTags.has(tag)) return true;
  if (isInPre || !markTags.has(tag)) return false;
  return tag !== 'a' || isSafeHref(element.getAttribute('href') ?? ':');
}

function isKept(tag: string, name: string, value: string): boolean {
  const rule = keptAttributes[tag]?.[name];
  return rule !== undefined && (rule.isGood(value) || (tag !== 'a' && rule.isGood(Number(value))));
}

const namesLanguage = ({ localName }: HtmlElement, value: string, isInPre: boolean): boolean =>
  (localName === 'pre' || (localName === 'code' && isInPre)) && /(?:^|\s)language-\S/.test(value);

/** An empty paragraph, or a line break alone between blocks. */
function isSpacing(element: HtmlElement): boolean {
  if (element.localName === 'p') return blank.test(element.textContent) && [...element.children].length === 0;
  if (element.localName !== 'br') return false;
  return isBlockEdge(element, 'previousSibling') && isBlockEdge(element, 'nextSibling');
}

/** Whether a line break has no text of its line on that side. */
function isBlockEdge(element: HtmlElement, side: 'previousSibling' | 'nextSibling'): boolean {
  let sibling: HtmlSibling | null = element[side];
  while (sibling !== null && sibling.nodeType === TEXT_NODE && blank.test(sibling.textContent))
    sibling = sibling[side];
  return sibling === null || blockTags.has(sibling.localName);
}

/** HTML ignores white space around a URL, and tabs and line breaks in it. */
function cleanHref(link: HtmlElement): void {
  const href = link.getAttribute('href');
  if (href !== null) link.setAttribute('href', href.replace(/[\t\r\n]/g, '').trim());
}

/** HTML ignores a line break right after `<pre>`. */
function dropFirstLineBreak(pre: HtmlElement): void {
  const first = pre.childNodes[0];
  if (first?.nodeType === TEXT_NODE) first.textContent = first.textContent.replace(/^\r?\n/, '');
}

/**
 * Removes spacing and invisible elements from the DOM of a page, and counts what rich text can and cannot hold.
 */
export function cleanHtml(root: HtmlElement, cleaning: Cleaning): void {
  new ElementCleaner(cleaning).visitChildren(root, false);
}

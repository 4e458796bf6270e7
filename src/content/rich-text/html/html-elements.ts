import type { TagParseRule } from 'prosemirror-model';
import { markAttributes, nodeAttributes, type AttributeRules } from '../attributes.js';
import { richTextSchema } from '../document-tree.js';
import { linkTargetOf } from '../link-target.js';
import { endsMark } from '../mark-styles.js';
import {
  elementsOf,
  isBlank,
  isElement,
  isMention,
  styleOf,
  TEXT_NODE,
  type HtmlElement,
  type HtmlNode,
} from './html-dom.js';
import type { KnownImages } from '../rich-text-source.js';
import { assetOfImage, embedOf, figureOf } from './html-pictures.js';
import type { HtmlTally } from './html-tally.js';
import { normalizeHtml } from './normalize-html.js';

/** Tags that become something whatever their attributes are, and links. */
const tagsOf = (
  specs: Readonly<Record<string, { readonly spec: { readonly parseDOM?: unknown } }>>,
): string[] =>
  Object.values(specs).flatMap(({ spec }) =>
    ((spec.parseDOM ?? []) as Partial<TagParseRule>[]).flatMap(({ tag = '' }) =>
      tag === 'a[href]' ? 'a' : /^\w+$/.test(tag) ? tag : [],
    ),
  );

const nodeTags: ReadonlySet<string> = new Set(tagsOf(richTextSchema.nodes));
/** The mark of each element that has one. */
const markOf: ReadonlyMap<string, string> = new Map(
  Object.entries(richTextSchema.marks).flatMap(([mark, type]) =>
    tagsOf({ mark: type }).map((tag) => [tag, mark] as const),
  ),
);
const markTags: ReadonlySet<string> = new Set(markOf.keys());
/** Elements that start a new line, converted or not. */
const blockTags: ReadonlySet<string> = new Set([
  ...[...nodeTags].filter((tag) => tag !== 'br'),
  ...['address', 'article', 'aside', 'body', 'div', 'figure', 'footer', 'form', 'header', 'html', 'main'],
  ...['nav', 'section'],
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
  'xml',
]);

const cell = nodeAttributes.tableCell ?? {};
/** Attributes that the parse rules check. */
const asGiven = { isGood: () => true, hint: '' };
const keptAttributes: Readonly<Record<string, AttributeRules>> = {
  a: {
    ...markAttributes.link,
    'data-entry': asGiven,
    'data-asset': asGiven,
    'data-anchor': asGiven,
    'data-mention': asGiven,
  },
  figure: { 'data-asset': asGiven, 'data-entry': asGiven, 'data-alt': asGiven, 'data-align': asGiven },
  span: { 'data-mention': asGiven },
  ol: { start: nodeAttributes.orderedList?.start ?? { isGood: () => false, hint: '' } },
  td: cell,
  th: cell,
};

/** What the HTML names that is known here: images of assets become embeds. */
export interface KnownTargets extends KnownImages {
  /** Ids of entries by the anchor of links, which become links to them. */
  readonly entries: ReadonlyMap<string, string>;
}

interface Cleaning extends KnownTargets {
  readonly tally: HtmlTally;
}

class ElementCleaner {
  readonly tally: HtmlTally;
  readonly #known: KnownTargets;
  /** Elements around pictures in whose place there are embeds now. */
  readonly #replaced = new WeakSet<HtmlElement>();

  constructor({ tally, ...known }: Cleaning) {
    this.tally = tally;
    this.#known = known;
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
    if (!isInPre && isReference(element)) {
      this.tally.convertTag(tag);
      this.#countAttributes(element, isInPre);
      return;
    }
    if (tag === 'pre') dropFirstLineBreak(element);
    if (tag === 'a') this.#cleanLink(element);
    this.visitChildren(element, isInPre || tag === 'pre');
    if (this.#replaced.has(element)) return;
    if (isConverted(element, isInPre)) this.tally.convertTag(tag);
    else if (!isPlain(element)) this.tally.dropTag(tag);
    this.#countAttributes(element, isInPre);
    if (tag === 'img' || (tag === 'p' && isEmptied(element))) element.remove();
  }

  #cleanLink(link: HtmlElement): void {
    cleanHref(link);
    const href = link.getAttribute('href') ?? '';
    const entryId = href.startsWith('#') ? this.#known.entries.get(href.slice(1)) : undefined;
    if (entryId !== undefined) link.setAttribute('data-entry', entryId);
  }

  /** Puts an embed in place of a known picture; code, which is plain text, gets its alternative text. */
  #showPicture(image: HtmlElement, isInPre: boolean): boolean {
    const source = image.getAttribute('src');
    const assetId = assetOfImage(source, this.#known);
    if (assetId === undefined) return false;
    this.tally.convertTag('img');
    if (isInPre) image.replaceWith(image.getAttribute('alt') ?? '');
    else this.#replacePicture(image, assetId);
    return true;
  }

  #replacePicture(image: HtmlElement, assetId: string): void {
    const { shown, caption } = figureOf(image);
    for (let around = image; around !== shown && around.parentElement !== null;) {
      around = around.parentElement;
      this.#replaced.add(around);
      if (around.localName === 'a') this.tally.dropTag('a');
    }
    shown.replaceWith(embedOf(image, { assetId, shown, caption }));
  }

  #countAttributes(element: HtmlElement, isInPre: boolean): void {
    const tag = element.localName;
    for (const name of element.getAttributeNames()) {
      const value = element.getAttribute(name) ?? '';
      if (name === 'style') continue;
      if (tag === 'a' && name === 'href') this.#countLink(element, isInPre);
      else if (!isKept(tag, name, value) && !namesLanguage(element, value, isInPre))
        this.tally.dropAttribute(name);
    }
  }

  #countLink(link: HtmlElement, isInPre: boolean): void {
    const href = link.getAttribute('href') ?? '';
    if (isInPre) this.tally.dropAttribute('href');
    else if (Object.keys(targetOf(link)).length === 0) this.tally.refuseLink(href);
    else if (href.startsWith('#')) this.tally.linkToFragment(href.slice(1));
  }
}

/** Mentions and embeds, as they are delivered: what is in them is added then. */
const isReference = (element: HtmlElement): boolean =>
  isMention(element) ||
  (element.localName === 'figure' &&
    (element.getAttribute('data-asset') ?? element.getAttribute('data-entry')) !== null);

const targetOf = (link: HtmlElement) => linkTargetOf((name) => link.getAttribute(name));

/** Whether the style of a mark's element ends its mark, as the wrapper of Google Docs does. */
const isPlain = (element: HtmlElement): boolean =>
  endsMark(markOf.get(element.localName) ?? '', styleOf(element));

/** Code blocks contain plain text; an anchor without a URL is not a link. */
function isConverted(element: HtmlElement, isInPre: boolean): boolean {
  const tag = element.localName;
  if (nodeTags.has(tag)) return true;
  if (isInPre || !markTags.has(tag) || isPlain(element)) return false;
  return tag !== 'a' || Object.keys(targetOf(element)).length > 0;
}

function isKept(tag: string, name: string, value: string): boolean {
  const rule = keptAttributes[tag]?.[name];
  return rule !== undefined && (rule.isGood(value) || (tag !== 'a' && rule.isGood(Number(value))));
}

const namesLanguage = ({ localName }: HtmlElement, value: string, isInPre: boolean): boolean =>
  (localName === 'pre' || (localName === 'code' && isInPre)) && /(?:^|\s)language-\S/.test(value);

/** A paragraph whose pictures were dropped, or that has nothing to show. */
const isEmptied = (paragraph: HtmlElement): boolean =>
  isBlank(paragraph) &&
  elementsOf(paragraph).every(
    (element) => (element.localName === 'span' || markTags.has(element.localName)) && !isMention(element),
  );

/** An empty paragraph, or a line break alone between blocks. */
function isSpacing(element: HtmlElement): boolean {
  if (element.localName === 'p') return isBlank(element) && element.children.length === 0;
  if (element.localName !== 'br') return false;
  return isBlockEdge(element, 'previousSibling') && isBlockEdge(element, 'nextSibling');
}

type Side = 'previousSibling' | 'nextSibling';

const isShown = (node: HtmlNode): boolean =>
  isElement(node) || (node.nodeType === TEXT_NODE && !isBlank(node));

function shownSibling(node: HtmlNode, side: Side): HtmlNode | null {
  let sibling = node[side];
  while (sibling !== null && !isShown(sibling)) sibling = sibling[side];
  return sibling;
}

const isBlock = ({ localName }: HtmlElement): boolean => blockTags.has(localName);

/** Whether a line break has no text of its line on that side, whatever inline elements are around either. */
function isBlockEdge(element: HtmlElement, side: Side): boolean {
  let node: HtmlElement = element;
  let next = shownSibling(node, side);
  while (next === null) {
    const { parentElement } = node;
    if (parentElement === null || isBlock(parentElement)) return true;
    node = parentElement;
    next = shownSibling(node, side);
  }
  while (isElement(next) && !isBlock(next)) {
    const within: HtmlNode[] = [...next.childNodes].filter(isShown);
    const edge = side === 'previousSibling' ? within.at(-1) : within[0];
    if (edge === undefined) return false;
    next = edge;
  }
  return isElement(next);
}

/** HTML ignores white space around a URL, and tabs and line breaks in it. */
function cleanHref(link: HtmlElement): void {
  const href = link.getAttribute('href');
  if (href !== null) link.setAttribute('href', href.replace(/[\t\r\n]/g, '').trim());
}

/** HTML ignores a line break right after `<pre>`. */
function dropFirstLineBreak(pre: HtmlElement): void {
  const first = pre.childNodes[0];
  if (first?.nodeType === TEXT_NODE) first.textContent = (first.textContent ?? '').replace(/^\r?\n/, '');
}

/**
 * Rewrites the DOM of a page to what the schema knows, removes spacing and invisible elements, and counts what rich
 * text can and cannot hold.
 */
export function cleanHtml(root: HtmlElement, cleaning: Cleaning): void {
  normalizeHtml(root, cleaning.tally);
  new ElementCleaner(cleaning).visitChildren(root, false);
}

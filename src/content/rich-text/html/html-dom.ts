/** The part of the DOM that the conversion uses, as browsers and linkedom provide it. */
export interface HtmlNode {
  readonly nodeType: number;
  readonly nodeName: string;
  textContent: string | null;
  readonly previousSibling: HtmlNode | null;
  readonly nextSibling: HtmlNode | null;
  readonly parentElement: HtmlElement | null;
  remove(): void;
}

export interface HtmlElement extends HtmlNode {
  readonly localName: string;
  readonly children: ArrayLike<HtmlElement> & Iterable<HtmlElement>;
  readonly childNodes: ArrayLike<HtmlNode> & Iterable<HtmlNode>;
  readonly firstChild: HtmlNode | null;
  readonly ownerDocument: { createElement(tag: string): HtmlElement };
  getAttribute(name: string): string | null;
  getAttributeNames(): string[];
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  append(...nodes: (HtmlNode | string)[]): void;
  before(...nodes: (HtmlNode | string)[]): void;
  prepend(...nodes: (HtmlNode | string)[]): void;
  replaceWith(...nodes: (HtmlNode | string)[]): void;
}

const ELEMENT_NODE = 1;
export const TEXT_NODE = 3;

/** White space that HTML collapses; a no-break space is not among it. */
const blank = /^[ \t\r\n\f]*$/;

export const isElement = (node: HtmlNode | null): node is HtmlElement => node?.nodeType === ELEMENT_NODE;

export const isBlank = ({ textContent }: { readonly textContent: string | null }): boolean =>
  blank.test(textContent ?? '');

/** Has the style of an element of pasted HTML: the policy of the admin app would report each `style` attribute. */
export const PASTED_STYLE = 'data-pasted-style';

const styleNameOf = (element: HtmlElement): string =>
  element.getAttribute(PASTED_STYLE) === null ? 'style' : PASTED_STYLE;

export const styleOf = (element: HtmlElement): string | null => element.getAttribute(styleNameOf(element));

/** @param style empty: none */
export function setStyle(element: HtmlElement, style: string): void {
  if (style === '') element.removeAttribute(styleNameOf(element));
  else element.setAttribute(styleNameOf(element), style);
}

/** The elements below `root` in their order, collected before any of them is changed. */
export function elementsOf(root: HtmlElement): HtmlElement[] {
  const found: HtmlElement[] = [];
  const waiting = [...root.children].reverse();
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    found.push(element);
    waiting.push(...[...element.children].reverse());
  }
  return found;
}

/** The sibling before an element with nothing but white space and comments between them. */
export function elementBefore(element: HtmlElement): HtmlElement | null {
  let node = element.previousSibling;
  while (node !== null && !isElement(node) && (node.nodeType !== TEXT_NODE || isBlank(node)))
    node = node.previousSibling;
  return isElement(node) ? node : null;
}

export const classesOf = (element: HtmlElement): readonly string[] =>
  (element.getAttribute('class') ?? '').split(/\s+/);

/** Puts the children of an element in its place. */
export const unwrap = (element: HtmlElement): void => element.replaceWith(...element.childNodes);

/** Replaces an element by one of another tag with its children, and with these attributes. */
export function retag(
  element: HtmlElement,
  tag: string,
  attributes: Readonly<Record<string, string>> = {},
): HtmlElement {
  const other = element.ownerDocument.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) other.setAttribute(name, value);
  other.append(...element.childNodes);
  element.replaceWith(other);
  return other;
}

/** A mention of an entry, whose title delivery adds. */
export const isMention = (element: HtmlElement): boolean => element.getAttribute('data-mention') !== null;

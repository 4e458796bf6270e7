import type { HtmlElement, HtmlNode } from './html-dom.js';

/** An item of a list that its source writes as a paragraph, or as a list of its own. */
export interface LooseItem {
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
export class ListBuilder {
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

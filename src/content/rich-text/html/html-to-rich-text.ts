import { parseHTML } from 'linkedom';
import { DOMParser } from 'prosemirror-model';
import type { RichTextNode } from '../../../../contracts/resources/rich-text.js';
import { richTextSchema } from '../document-tree.js';
import { cleanHtml, type HtmlElement } from './html-elements.js';
import { HtmlTally } from './html-tally.js';

const parser = DOMParser.fromSchema(richTextSchema);

interface HtmlDocument {
  createElement(tag: string): HtmlElement & { innerHTML: string };
}

interface Matching {
  readonly localName: string;
  hasAttribute(name: string): boolean;
  matches(selector: string): boolean;
}

interface Condition {
  readonly tag: string;
  readonly attribute: string | undefined;
}

/** What the rules of the schema consist of. */
const simpleSelector = /^([a-z0-9]+)(?:\[([a-z-]+)\])?$/;
const conditions = new Map<string, Condition | null>();

function conditionOf(selector: string): Condition | null {
  const known = conditions.get(selector);
  if (known !== undefined) return known;
  const [, tag, attribute] = simpleSelector.exec(selector) ?? [];
  const condition = tag === undefined ? null : { tag, attribute };
  conditions.set(selector, condition);
  return condition;
}

/** linkedom compiles a selector for every element that it is compared with, which took a third of a conversion. */
function matchFaster(element: Matching): void {
  let prototype = element;
  while (!Object.hasOwn(prototype, 'matches')) prototype = Object.getPrototypeOf(prototype) as Matching;
  const { matches } = prototype;
  prototype.matches = function (this: Matching, selector) {
    const condition = conditionOf(selector);
    if (condition === null) return matches.call(this, selector);
    const { tag, attribute } = condition;
    return this.localName === tag && (attribute === undefined || this.hasAttribute(attribute));
  };
}

/** One document creates the elements of every page; pages are never attached to it, so they are collected. */
const { document } = parseHTML('<!doctype html><html><body></body></html>') as unknown as {
  document: HtmlDocument;
};

matchFaster(document.createElement('div') as unknown as Matching);

/**
 * Converts an HTML fragment to a document tree. White space is collapsed except in `pre`; what rich text has no
 * node or mark for is omitted and counted in `tally`.
 * @param pictures ids of assets by the `src` of images, which become embeds
 */
export function htmlToRichText(
  html: string,
  tally = new HtmlTally(),
  pictures: ReadonlyMap<string, string> = new Map(),
): RichTextNode {
  const root = document.createElement('div');
  root.innerHTML = html;
  cleanHtml(root, { tally, pictures });
  return parser.parse(root as never).toJSON() as RichTextNode;
}

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

/** One document creates the elements of every page; pages are never attached to it, so they are collected. */
const { document } = parseHTML('<!doctype html><html><body></body></html>') as unknown as {
  document: HtmlDocument;
};

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

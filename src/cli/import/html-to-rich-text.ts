import { parseHTML } from 'linkedom';
import { DOMParser } from 'prosemirror-model';
import type { RichTextNode } from '../../../contracts/resources/rich-text.js';
import { richTextSchema } from '../../content/rich-text/document-tree.js';
import { sortOut, type HtmlElement } from './html-elements.js';
import { HtmlTally } from './html-tally.js';

const parser = DOMParser.fromSchema(richTextSchema);

interface HtmlDocument {
  createElement(tag: string): HtmlElement & { innerHTML: string };
}

/** One document makes the elements of every page; pages are never put into it, so none of them stays. */
const { document } = parseHTML('<!doctype html><html><body></body></html>') as unknown as {
  document: HtmlDocument;
};

/**
 * An HTML fragment as a document tree of the service's own spelling. White space is what HTML says:
 * collapsed, but for `pre`. What rich text has no node or mark for is left out and counted.
 * @param tally told what was converted and what was left out
 */
export function htmlToRichText(html: string, tally = new HtmlTally()): RichTextNode {
  const root = document.createElement('div');
  root.innerHTML = html;
  sortOut(root, tally);
  return parser.parse(root).toJSON() as RichTextNode;
}

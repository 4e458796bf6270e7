import { parseHTML } from 'linkedom';
import { DOMParser } from 'prosemirror-model';
import type { RichTextNode } from '../../../../contracts/rich-text.js';
import { richTextSchema } from '../document-tree.js';
import { closeEmptyTags } from './confluence-markup.js';
import type { HtmlElement } from './html-dom.js';
import { cleanHtml, type KnownTargets } from './html-elements.js';
import { HtmlTally } from './html-tally.js';
import MarkdownIt from 'markdown-it';
import type { Warning } from '../../../../contracts/envelopes.js';
import { limits } from '../../../../contracts/limits.js';
import { problem, type Problem } from '../../model/problem.js';
import type { ConvertedRichText, ForeignImage, KnownImages, RichTextSource } from '../rich-text-source.js';
import { foreignImages } from './html-pictures.js';
import { normalizeHtml } from './normalize-html.js';

/** ProseMirror parses the elements of linkedom as those of a browser. */
const parser = DOMParser.fromSchema(richTextSchema) as unknown as {
  parse(root: HtmlElement): { toJSON(): unknown };
};

interface HtmlDocument {
  createElement(tag: string): HtmlElement & { innerHTML: string };
}

interface Matching {
  readonly localName: string;
  readonly ownerDocument: unknown;
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

/**
 * linkedom compiles a selector for every element that it is compared with, which took a third of a conversion, and reads
 * the style of elements without one. Only elements of the same document have no `style` then: charts set theirs.
 */
function matchFaster(element: Matching): void {
  const { ownerDocument } = element;
  let prototype = element;
  while (!Object.hasOwn(prototype, 'matches')) prototype = Object.getPrototypeOf(prototype) as Matching;
  const { matches } = prototype;
  prototype.matches = function (this: Matching, selector) {
    const condition = conditionOf(selector);
    if (condition === null) return matches.call(this, selector);
    const { tag, attribute } = condition;
    return this.localName === tag && (attribute === undefined || this.hasAttribute(attribute));
  };
  const style = Object.getOwnPropertyDescriptor(prototype, 'style')?.get;
  Object.defineProperty(prototype, 'style', {
    get(this: Matching) {
      const isRead = this.ownerDocument !== ownerDocument || this.hasAttribute('style');
      return isRead ? (style?.call(this) as unknown) : undefined;
    },
  });
}

/** One document creates the elements of every page; pages are never attached to it, so they are collected. */
const { document } = parseHTML('<!doctype html><html><body></body></html>') as unknown as {
  document: HtmlDocument;
};

matchFaster(document.createElement('div') as unknown as Matching);

const givenOnly = <T extends { attrs?: Record<string, unknown> | undefined }>(part: T): T => {
  if (part.attrs === undefined) return part;
  const { attrs, ...others } = part;
  const given = Object.entries(attrs).filter(([, value]) => value !== null);
  return { ...others, ...(given.length > 0 && { attrs: Object.fromEntries(given) }) } as T;
};

/** ProseMirror writes every attribute; those that are not set are left out. */
function withoutNulls(node: RichTextNode): RichTextNode {
  return {
    ...givenOnly(node),
    ...(node.marks && { marks: node.marks.map(givenOnly) }),
    ...(node.content && { content: node.content.map(withoutNulls) }),
  };
}

const nothing: ReadonlyMap<string, string> = new Map();

function rootOf(html: string): HtmlElement {
  const root = document.createElement('div');
  root.innerHTML = closeEmptyTags(html);
  return root;
}

/**
 * Converts an HTML fragment to a document tree. White space is collapsed except in `pre`; what rich text has no
 * node or mark for is omitted and counted in `tally`.
 */
export function htmlToRichText(
  html: string,
  tally = new HtmlTally(),
  { pictures = nothing, entries = nothing, ownMedia = [] }: Partial<KnownTargets> = {},
): RichTextNode {
  const root = rootOf(html);
  cleanHtml(root, { tally, pictures, entries, ownMedia });
  return withoutNulls(parser.parse(root).toJSON() as RichTextNode);
}

/** HTML in Markdown passes the same cleaning as other HTML. */
const markdown = new MarkdownIt('default', { html: true, maxNesting: limits.jsonDepth / 2 });

/** Elements that say nothing by themselves, or that rich text drops only where they are empty or implied. */
const implied: ReadonlySet<string> = new Set([
  ...['p', 'br', 'code', 'thead', 'tbody', 'tfoot', 'colgroup', 'col'],
  ...['html', 'head', 'body', 'meta', 'title', 'label', 'span', 'div', 'section', 'article', 'header'],
  ...[
    'footer',
    'main',
    'nav',
    'aside',
    'figure',
    'figcaption',
    'details',
    'summary',
    'center',
    'font',
    'time',
  ],
]);

const times = (count: number): string => (count === 1 ? 'once' : `${String(count)} times`);

/** Lists what was dropped, most frequent first. */
function warningsOf({ droppedTags, droppedAttributes, refusedLinks }: HtmlTally): Warning[] {
  const lists = [
    ['element_dropped', (name: string) => `The element ${name} was dropped`, droppedTags],
    ['attribute_dropped', (name: string) => `The attribute ${name} was dropped`, droppedAttributes],
    ['link_dropped', (scheme: string) => `A link with the scheme ${scheme} was dropped`, refusedLinks],
  ] as const;
  return lists.flatMap(([code, describe, counts]) =>
    [...counts]
      .filter(([name]) => !implied.has(name))
      .sort(([, a], [, b]) => b - a)
      .slice(0, limits.conversionWarnings)
      .map(([name, count]) => ({
        code,
        message: `${describe(name.slice(0, limits.apiNameLength))} ${times(count)}.`,
      })),
  );
}

function refusalOf(html: string): readonly Problem[] | undefined {
  const tags = html.split('<').length - 1;
  if (tags <= limits.conversionTags) return undefined;
  return problem('too_complex', `The rich text has more than ${String(limits.conversionTags)} tags.`);
}

export const markdownToHtml = (text: string): string => markdown.render(text);

const htmlOf = (source: RichTextSource): string =>
  'html' in source ? source.html : markdownToHtml(source.markdown);

/** The images of HTML or Markdown that are no assets; none of what cannot be converted. */
export function imagesIn(source: RichTextSource, known: KnownImages): ForeignImage[] {
  const html = htmlOf(source);
  if (refusalOf(html) !== undefined) return [];
  const root = rootOf(html);
  normalizeHtml(root, new HtmlTally());
  return foreignImages(root, known);
}

/**
 * The document tree of HTML or Markdown. Takes time in proportion to the input, or worse for hostile input, so
 * servers run it in a separate thread.
 */
export function convertRichText(source: RichTextSource, known: Partial<KnownImages> = {}): ConvertedRichText {
  const html = htmlOf(source);
  const problems = refusalOf(html);
  if (problems !== undefined) return { problems };
  const tally = new HtmlTally();
  try {
    return { doc: htmlToRichText(html, tally, known), warnings: warningsOf(tally) };
  } catch (error) {
    // The parser recurses.
    if (!(error instanceof RangeError)) throw error;
    return { problems: problem('too_deep', 'The rich text is nested too deeply.') };
  }
}

import {
  Schema,
  type MarkSpec,
  type NodeSpec,
  type StyleParseRule,
  type TagParseRule,
} from 'prosemirror-model';
import { markAttributes, nodeAttributes, type AttributeRules } from './attributes.js';
import { linkTargetOf } from './link-target.js';
import { endsMark, inheritedMarks, markStyles } from './mark-styles.js';
import { baseName, spellingsOf } from './vocabulary.js';

/** The DOM methods that parse rules use, whatever library provides them. */
interface ElementLike {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): ElementLike | null;
}

/** Keeps valid attributes; false, which drops the element, if a required one is invalid. */
function readAttributes(rules: AttributeRules, read: (name: string) => unknown) {
  const attributes: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(rules)) {
    const value = read(name);
    if (rule.isGood(value)) attributes[name] = value;
    else if (!('default' in rule)) return false;
  }
  return attributes;
}

const numbersFrom = (rules: AttributeRules | undefined) => (element: ElementLike) =>
  readAttributes(rules ?? {}, (name) => Number(element.getAttribute(name) ?? Number.NaN));

const linkFrom = (element: ElementLike) => {
  const target = linkTargetOf((name) => element.getAttribute(name));
  if (Object.keys(target).length === 0) return false;
  const { title, target: frame, rel } = markAttributes.link ?? {};
  const others = { ...(title && { title }), ...(frame && { target: frame }), ...(rel && { rel }) };
  return { ...readAttributes(others, (name) => element.getAttribute(name)), ...target };
};

/** Highlighters and Markdown converters put the language in a class of the inner element. */
const languageFrom = (element: ElementLike) => {
  const classes = element.querySelector('code')?.getAttribute('class') ?? element.getAttribute('class') ?? '';
  return { language: /(?:^|\s)language-(\S{1,100})/.exec(classes)?.[1] ?? null };
};

/** As {@link toHtml} writes it. */
const assetFrom = (element: ElementLike) =>
  readAttributes(nodeAttributes.assetEmbed ?? {}, (name) => {
    if (name === 'assetId') return element.getAttribute('data-asset');
    if (name === 'caption') return element.querySelector('figcaption')?.textContent ?? null;
    return element.getAttribute(`data-${name}`);
  });

const entryFrom = (attribute: string) => (element: ElementLike) =>
  readAttributes(nodeAttributes.entryEmbed ?? {}, () => element.getAttribute(attribute));

const tags = (...names: string[]): TagParseRule[] => names.map((tag) => ({ tag }));
const oneOrMore = (...names: string[]) => `(${names.flatMap(spellingsOf).join(' | ')})+`;
const block = { group: 'block' };
const headings = [1, 2, 3, 4, 5, 6].map((level): TagParseRule => ({ tag: `h${level}`, attrs: { level } }));

/** In order of preference: the first node that fits is inserted where a parent is missing. */
const nodes: Record<string, NodeSpec> = {
  doc: { content: 'block*' },
  paragraph: { ...block, content: 'inline*', parseDOM: tags('p') },
  heading: { ...block, content: 'inline*', parseDOM: headings },
  blockquote: { ...block, content: 'block+', parseDOM: tags('blockquote') },
  bulletList: { ...block, content: oneOrMore('listItem'), parseDOM: tags('ul') },
  orderedList: {
    ...block,
    content: oneOrMore('listItem'),
    parseDOM: [{ tag: 'ol', getAttrs: numbersFrom(nodeAttributes.orderedList) }],
  },
  listItem: { content: 'block+', parseDOM: tags('li') },
  codeBlock: {
    ...block,
    content: 'text*',
    marks: '',
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full', getAttrs: languageFrom }],
  },
  horizontalRule: { ...block, parseDOM: tags('hr') },
  assetEmbed: { ...block, parseDOM: [{ tag: 'figure[data-asset]', getAttrs: assetFrom }] },
  entryEmbed: { ...block, parseDOM: [{ tag: 'figure[data-entry]', getAttrs: entryFrom('data-entry') }] },
  definitionList: {
    ...block,
    content: oneOrMore('definitionTerm', 'definitionDescription'),
    parseDOM: tags('dl'),
  },
  definitionTerm: { content: 'inline*', parseDOM: tags('dt') },
  definitionDescription: { content: 'block+', parseDOM: tags('dd') },
  table: { ...block, content: oneOrMore('tableRow'), parseDOM: tags('table') },
  tableRow: { content: oneOrMore('tableCell', 'tableHeader'), parseDOM: tags('tr') },
  tableHeader: {
    content: 'block+',
    parseDOM: [{ tag: 'th', getAttrs: numbersFrom(nodeAttributes.tableHeader) }],
  },
  tableCell: {
    content: 'block+',
    parseDOM: [{ tag: 'td', getAttrs: numbersFrom(nodeAttributes.tableCell) }],
  },
  text: { group: 'inline' },
  hardBreak: { group: 'inline', inline: true, parseDOM: tags('br') },
  entryMention: {
    group: 'inline',
    inline: true,
    // Before the link that a delivered mention is.
    parseDOM: ['a[data-mention]', 'span[data-mention]'].map((tag) => ({
      tag,
      priority: 60,
      getAttrs: entryFrom('data-mention'),
    })),
  },
};

/** A style that sets the mark, and for inherited styles one that ends it within an outer element. */
function styleRules(mark: string): StyleParseRule[] {
  const known = markStyles[mark];
  if (known === undefined) return [];
  const { property: style, on, off } = known;
  const where = (values: RegExp) => (value: string) =>
    values.test(value.trim().toLowerCase()) ? null : false;
  const ending: StyleParseRule = {
    style,
    getAttrs: where(off),
    clearMark: ({ type }) => baseName(type.name) === mark,
  };
  return [
    { style, consuming: false, getAttrs: where(on) },
    ...(inheritedMarks.has(mark) ? [{ ...ending, consuming: false }] : []),
  ];
}

/** Elements and styles of a mark. */
const markRules = (mark: string, ...names: string[]) => [
  ...names.map((tag): TagParseRule => ({
    tag,
    getAttrs: (element: ElementLike) => (endsMark(mark, element.getAttribute('style')) ? false : null),
  })),
  ...styleRules(mark),
];

/** In the order of {@link markOrder}. */
const marks: Record<string, MarkSpec> = {
  link: {
    parseDOM: ['a[href]', 'a[data-entry]', 'a[data-asset]'].map((tag) => ({ tag, getAttrs: linkFrom })),
  },
  bold: { parseDOM: markRules('bold', 'strong', 'b') },
  italic: { parseDOM: markRules('italic', 'em', 'i', 'cite', 'var', 'dfn') },
  underline: { parseDOM: markRules('underline', 'u', 'ins') },
  strike: { parseDOM: markRules('strike', 's', 'del', 'strike') },
  superscript: { parseDOM: markRules('superscript', 'sup') },
  subscript: { parseDOM: markRules('subscript', 'sub') },
  code: { parseDOM: tags('code', 'kbd', 'samp', 'tt') },
};

/** Adds attributes and the other spelling of each spec; parse rules stay with the canonical spelling. */
function withSpellings<S extends NodeSpec | MarkSpec>(
  specs: Record<string, S>,
  attributes: Readonly<Record<string, AttributeRules>>,
): Record<string, S> {
  const all: Record<string, S> = {};
  for (const [name, { parseDOM, ...spec }] of Object.entries(specs)) {
    for (const spelling of spellingsOf(name)) {
      const attrs = attrsOf(attributes[name] ?? {});
      all[spelling] = { ...spec, attrs, ...(spelling === name && parseDOM ? { parseDOM } : {}) } as S;
    }
  }
  return all;
}

function attrsOf(rules: AttributeRules) {
  return Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, 'default' in rule ? { default: rule.default } : {}]),
  );
}

/**
 * The ProseMirror schema with every node in both spellings. Its parse rules (for `DOMParser.fromSchema`) produce
 * canonical names, drop unknown elements, and turn forbidden links into text.
 */
export const richTextSchema = new Schema({
  nodes: withSpellings(nodes, nodeAttributes),
  marks: withSpellings(marks, markAttributes),
});

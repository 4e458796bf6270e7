import { Schema, type MarkSpec, type NodeSpec, type TagParseRule } from 'prosemirror-model';
import { markAttributes, nodeAttributes, type AttributeRules } from './attributes.js';
import { spellingsOf } from './vocabulary.js';

/** What parse rules ask of an element, from whatever library the DOM is. */
interface ElementLike {
  getAttribute(name: string): string | null;
  querySelector(selector: string): ElementLike | null;
}

/** Takes attributes from HTML where they are good; false, which leaves the element out, if a needed one is not. */
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

const linkFrom = (element: ElementLike) =>
  readAttributes(markAttributes.link ?? {}, (name) => element.getAttribute(name));

/** Highlighters and Markdown converters name the language in a class of the inner element. */
const languageFrom = (element: ElementLike) => {
  const classes = element.querySelector('code')?.getAttribute('class') ?? element.getAttribute('class') ?? '';
  return { language: /(?:^|\s)language-(\S{1,100})/.exec(classes)?.[1] ?? null };
};

const tags = (...names: string[]): TagParseRule[] => names.map((tag) => ({ tag }));
const oneOrMore = (...names: string[]) => `(${names.flatMap(spellingsOf).join(' | ')})+`;
const block = { group: 'block' };
const headings = [1, 2, 3, 4, 5, 6].map((level): TagParseRule => ({ tag: `h${level}`, attrs: { level } }));

/** In order of preference: where a node has to be made up around another, the first that fits is. */
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
};

/** Outermost first: HTML is nested in this order. */
const marks: Record<string, MarkSpec> = {
  link: { parseDOM: [{ tag: 'a[href]', getAttrs: linkFrom }] },
  bold: { parseDOM: tags('strong', 'b') },
  italic: { parseDOM: tags('em', 'i', 'cite', 'var', 'dfn') },
  underline: { parseDOM: tags('u', 'ins') },
  strike: { parseDOM: tags('s', 'del', 'strike') },
  superscript: { parseDOM: tags('sup') },
  subscript: { parseDOM: tags('sub') },
  code: { parseDOM: tags('code', 'kbd', 'samp', 'tt') },
};

/** Marks by their own name, outermost first. */
export const markOrder: readonly string[] = Object.keys(marks);

/** Adds the attributes of each spec, and its other spelling without parse rules. */
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
 * The structure of rich text, as ProseMirror understands it: every node in both spellings. Its parse
 * rules (for `DOMParser.fromSchema`) make the service's own spelling only, leave out what is not in
 * the schema, and drop links to refused addresses but keep their text.
 */
export const richTextSchema = new Schema({
  nodes: withSpellings(nodes, nodeAttributes),
  marks: withSpellings(marks, markAttributes),
});

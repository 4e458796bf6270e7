import {
  Schema,
  type DOMOutputSpec,
  type Mark,
  type MarkSpec,
  type Node,
  type NodeSpec,
} from 'prosemirror-model';
import { richTextSchema } from '../../content/rich-text/schema.js';
import { baseName } from '../../content/rich-text/vocabulary.js';

type Attributes = Readonly<Record<string, unknown>>;

const cellAttributes = ({ colspan, rowspan }: Attributes) => ({ colspan, rowspan });

/** How nodes look while they are edited and are copied, by canonical name. What they name is shown by their views. */
const nodeViews: Readonly<Record<string, (node: Node) => DOMOutputSpec>> = {
  paragraph: () => ['p', 0],
  heading: ({ attrs }) => [`h${String(attrs.level)}`, 0],
  blockquote: () => ['blockquote', 0],
  bulletList: () => ['ul', 0],
  orderedList: ({ attrs }) => ['ol', { start: (attrs.start ?? attrs.order ?? 1) as number }, 0],
  listItem: () => ['li', 0],
  codeBlock: () => ['pre', ['code', 0]],
  horizontalRule: () => ['hr'],
  assetEmbed: ({ attrs }) => {
    const { assetId, alt, align, caption } = attrs as Attributes;
    const data = { 'data-asset': assetId, 'data-alt': alt, 'data-align': align };
    return typeof caption === 'string' && caption !== ''
      ? ['figure', data, ['figcaption', caption]]
      : ['figure', data];
  },
  entryEmbed: ({ attrs }) => ['figure', { 'data-entry': attrs.entryId as string }],
  entryMention: ({ attrs }) => ['span', { 'data-mention': attrs.entryId as string }],
  definitionList: () => ['dl', 0],
  definitionTerm: () => ['dt', 0],
  definitionDescription: () => ['dd', 0],
  table: () => ['table', ['tbody', 0]],
  tableRow: () => ['tr', 0],
  tableHeader: ({ attrs }) => ['th', cellAttributes(attrs), 0],
  tableCell: ({ attrs }) => ['td', cellAttributes(attrs), 0],
  hardBreak: () => ['br'],
};

const markViews: Readonly<Record<string, (mark: Mark) => DOMOutputSpec>> = {
  link: ({ attrs }) => {
    const { href, title, target, rel, entryId, assetId, anchor } = attrs as Attributes;
    const data = { 'data-entry': entryId, 'data-asset': assetId, 'data-anchor': anchor };
    return ['a', { ...data, href, title, target, rel }, 0];
  },
  bold: () => ['strong', 0],
  italic: () => ['em', 0],
  underline: () => ['u', 0],
  strike: () => ['s', 0],
  superscript: () => ['sup', 0],
  subscript: () => ['sub', 0],
  code: () => ['code', 0],
};

/** How the editor treats nodes and marks, by canonical name; what documents hold does not depend on it. */
const behavior: Readonly<Record<string, Partial<NodeSpec & MarkSpec>>> = {
  blockquote: { defining: true },
  listItem: { defining: true },
  codeBlock: { defining: true, code: true },
  heading: { defining: true },
  assetEmbed: { draggable: true },
  entryEmbed: { draggable: true },
  table: { tableRole: 'table', isolating: true },
  tableRow: { tableRole: 'row' },
  tableHeader: { tableRole: 'header_cell', isolating: true },
  tableCell: { tableRole: 'cell', isolating: true },
  // What is typed after a link does not belong to it.
  link: { inclusive: false },
};

function withViews<S extends NodeSpec | MarkSpec>(
  specs: { forEach(visit: (name: string, spec: S) => void): void },
  views: Readonly<Record<string, S['toDOM']>>,
): Record<string, S> {
  const viewed: Record<string, S> = {};
  specs.forEach((name, spec) => {
    const toDOM = views[baseName(name)];
    viewed[name] = { ...spec, ...(toDOM && { toDOM }), ...behavior[baseName(name)] };
  });
  return viewed;
}

/** The schema of the service with views. Names and attributes are the same, so every document is kept as it is. */
export const editorSchema = new Schema({
  nodes: withViews<NodeSpec>(richTextSchema.spec.nodes, nodeViews),
  marks: withViews<MarkSpec>(richTextSchema.spec.marks, markViews),
});

const { table, tableRow: row, tableCell: cell, tableHeader } = editorSchema.nodes;
// New rows and cells have canonical names; `prosemirror-tables` would take the other spelling.
editorSchema.cached.tableNodeTypes = { table, row, cell, header_cell: tableHeader };

/** The schema has every name that is used here. */
export const nodeType = (name: string) => editorSchema.nodes[name]!;
export const markType = (name: string) => editorSchema.marks[name]!;

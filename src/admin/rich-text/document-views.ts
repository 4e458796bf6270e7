import type { DOMOutputSpec, Mark, Node } from 'prosemirror-model';

type Attributes = Readonly<Record<string, unknown>>;

const cellAttributes = ({ colspan, rowspan }: Attributes) => ({ colspan, rowspan });

/** How nodes look while they are edited and are copied, by canonical name. What they name is shown by their views. */
export const nodeViews: Readonly<Record<string, (node: Node) => DOMOutputSpec>> = {
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

export const markViews: Readonly<Record<string, (mark: Mark) => DOMOutputSpec>> = {
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

import type { RichTextMark, RichTextNode } from '../../../contracts/rich-text.js';
import { baseName, markOrder, markTags, simpleTags } from './vocabulary.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A start tag. Attributes that are neither strings nor numbers are omitted. */
function open(tag: string, attributes: Record<string, unknown> = {}): string {
  const written = Object.entries(attributes).map(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? ` ${name}="${escapeHtml(String(value))}"` : '',
  );
  return `<${tag}${written.join('')}>`;
}

const renderers: Readonly<Record<string, (node: RichTextNode) => string>> = {
  text: (node) => escapeHtml(node.text ?? ''),
  hardBreak: () => '<br>',
  horizontalRule: () => '<hr>',
  heading: (node) => element(`h${Number(node.attrs?.level ?? 1)}`, node),
  orderedList: (node) => element('ol', node, { start: listStart(node) }),
  codeBlock: ({ attrs, content }) => {
    const language = attrs?.language;
    return `<pre>${open('code', { class: typeof language === 'string' ? `language-${language}` : null })}${children(content)}</code></pre>`;
  },
  assetEmbed: ({ attrs = {} }) => {
    const { assetId, alt, align, caption } = attrs;
    const shown =
      typeof caption === 'string' && caption !== '' ? `<figcaption>${escapeHtml(caption)}</figcaption>` : '';
    return `${open('figure', { 'data-asset': assetId, 'data-alt': alt, 'data-align': align })}${shown}</figure>`;
  },
  entryEmbed: ({ attrs }) => `${open('figure', { 'data-entry': attrs?.entryId })}</figure>`,
  entryMention: ({ attrs }) => `${open('span', { 'data-mention': attrs?.entryId })}</span>`,
  table: (node) => `<table><tbody>${children(node.content)}</tbody></table>`,
  tableHeader: (node) => element('th', node, spans(node)),
  tableCell: (node) => element('td', node, spans(node)),
};

/**
 * The HTML of a tree accepted by {@link checkDocument}, escaped. Links that open a new window get `rel="noopener
 * noreferrer"`. Links to entries and assets have no `href` yet, mentions and embeds no content: delivery adds them.
 */
export function toHtml(doc: RichTextNode): string {
  return children(doc.content);
}

function renderNode(node: RichTextNode): string {
  const name = baseName(node.type);
  const render = renderers[name];
  if (render) return render(node);
  const tag = simpleTags[name];
  return tag ? element(tag, node) : children(node.content);
}

function element(tag: string, node: RichTextNode, attributes: Record<string, unknown> = {}): string {
  return `${open(tag, attributes)}${children(node.content)}</${tag}>`;
}

/** Siblings share the elements of common marks: a link with a bold word stays one link. */
function children(nodes: readonly RichTextNode[] = []): string {
  let html = '';
  let opened: OpenMark[] = [];
  const closeFrom = (kept: number) => {
    html += opened
      .slice(kept)
      .reverse()
      .map(({ tag }) => `</${tag}>`)
      .join('');
  };
  for (const node of nodes) {
    const wanted = openMarks(marksOf(node));
    const differing = wanted.findIndex((mark, index) => mark.start !== opened[index]?.start);
    const kept = Math.min(differing < 0 ? wanted.length : differing, opened.length);
    closeFrom(kept);
    html +=
      wanted
        .slice(kept)
        .map(({ start }) => start)
        .join('') + renderNode(node);
    opened = wanted;
  }
  closeFrom(0);
  return html;
}

/** A mention is a link itself, and links do not nest. */
const marksOf = ({ type, marks = [] }: RichTextNode): readonly RichTextMark[] =>
  baseName(type) === 'entryMention' ? marks.filter((mark) => baseName(mark.type) !== 'link') : marks;

interface OpenMark {
  readonly tag: string;
  readonly start: string;
}

function openMarks(marks: readonly RichTextMark[]): OpenMark[] {
  return marks
    .map((mark) => ({ mark, rank: markOrder.indexOf(baseName(mark.type)) }))
    .sort((a, b) => a.rank - b.rank)
    .flatMap(({ mark }) => {
      const tag = markTags[baseName(mark.type)];
      return tag ? [{ tag, start: open(tag, tag === 'a' ? linkAttributes(mark) : {}) }] : [];
    });
}

function linkAttributes({ attrs = {} }: RichTextMark): Record<string, unknown> {
  const given = typeof attrs.rel === 'string' ? attrs.rel.split(' ').filter((word) => word !== '') : [];
  const rel = attrs.target === '_blank' ? [...new Set([...given, 'noopener', 'noreferrer'])] : given;
  return {
    'data-entry': attrs.entryId,
    'data-asset': attrs.assetId,
    'data-anchor': attrs.anchor,
    href: attrs.href,
    title: attrs.title,
    target: attrs.target,
    rel: rel.length > 0 ? rel.join(' ') : null,
  };
}

function listStart({ attrs = {} }: RichTextNode): unknown {
  const start = attrs.start ?? attrs.order;
  return start === 1 ? null : start;
}

function spans({ attrs = {} }: RichTextNode): Record<string, unknown> {
  return {
    colspan: attrs.colspan === 1 ? null : attrs.colspan,
    rowspan: attrs.rowspan === 1 ? null : attrs.rowspan,
  };
}

/** Separators other than the blank line between blocks. */
const separators: Readonly<Record<string, string>> = {
  paragraph: '',
  heading: '',
  codeBlock: '',
  definitionTerm: '',
  bulletList: '\n',
  orderedList: '\n',
  listItem: '\n',
  definitionList: '\n',
  definitionDescription: '\n',
  table: '\n',
  tableRow: '\t',
  tableHeader: ' ',
  tableCell: ' ',
};

/** The caption of a picture, or else its alternative text. */
function textOfEmbed({ attrs = {} }: RichTextNode): string {
  return (
    ([attrs.caption, attrs.alt].find((text) => typeof text === 'string' && text !== '') as
      string | undefined) ?? ''
  );
}

/**
 * Plain text of a tree. Nodes without text are omitted, except empty cells, which keep the columns aligned.
 * @param titleOf titles of the entries that are mentioned and embedded
 */
export function toText(node: RichTextNode, titleOf: (entryId: string) => string = () => ''): string {
  const name = baseName(node.type);
  if (name === 'text') return node.text ?? '';
  if (name === 'hardBreak') return '\n';
  if (name === 'assetEmbed') return textOfEmbed(node);
  if (name === 'entryMention' || name === 'entryEmbed') return titleOf(String(node.attrs?.entryId));
  const parts = (node.content ?? []).map((child) => toText(child, titleOf));
  return (name === 'tableRow' ? parts : parts.filter((part) => part !== '')).join(separators[name] ?? '\n\n');
}

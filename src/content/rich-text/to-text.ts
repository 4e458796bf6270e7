import type { RichTextNode } from '../../../contracts/resources/rich-text.js';
import { baseName } from './vocabulary.js';

/** What stands between the children of a node, where it is not the blank line between blocks. */
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

/**
 * The plain text of a document tree: blocks separated by a blank line, list items, definitions and
 * table rows by a line break, cells by a tab. What has no text (rules, empty paragraphs) leaves no
 * trace, except an empty cell, which keeps the columns of its row in place.
 */
export function toText(node: RichTextNode): string {
  const name = baseName(node.type);
  if (name === 'text') return node.text ?? '';
  if (name === 'hardBreak') return '\n';
  const parts = (node.content ?? []).map(toText);
  return (name === 'tableRow' ? parts : parts.filter((part) => part !== '')).join(separators[name] ?? '\n\n');
}

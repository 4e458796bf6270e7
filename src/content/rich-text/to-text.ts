import type { RichTextNode } from '../../../contracts/resources/rich-text.js';
import { baseName } from './vocabulary.js';

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

/** Plain text of a tree. Nodes without text are omitted, except empty cells, which keep the columns aligned. */
export function toText(node: RichTextNode): string {
  const name = baseName(node.type);
  if (name === 'text') return node.text ?? '';
  if (name === 'hardBreak') return '\n';
  if (name === 'assetEmbed') return typeof node.attrs?.caption === 'string' ? node.attrs.caption : '';
  const parts = (node.content ?? []).map(toText);
  return (name === 'tableRow' ? parts : parts.filter((part) => part !== '')).join(separators[name] ?? '\n\n');
}

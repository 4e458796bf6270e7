import { Node } from 'prosemirror-model';
import { kindOf } from '../field-kinds/index.js';
import type { FieldDefinition } from '../model/field-definition.js';
import { richTextSchema } from '../rich-text/schema.js';
import { baseName } from '../rich-text/vocabulary.js';

/** Text of a value in units of UTF-16, with the position of each. Nodes without text are one unit. */
export interface AnchoredText {
  readonly text: string;
  /** Ascending positions in the document; null in plain text, where they are the indexes. */
  readonly positions: readonly number[] | null;
  /** Identity of nodes without text, by index. */
  readonly atoms: ReadonlyMap<number, string>;
}

/** Half-open, in positions of the value. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Stands for a node without text. */
const ATOM = '\uFFFC';
const none: ReadonlyMap<number, string> = new Map();

/** Whether parts of its values can be anchored. */
export const hasAnchoredText = (field: Pick<FieldDefinition, 'type' | 'isList'>): boolean =>
  !field.isList && kindOf(field).isTranslatable;

function documentText(value: object): AnchoredText {
  let text = '';
  const positions: number[] = [];
  const atoms = new Map<number, string>();
  Node.fromJSON(richTextSchema, value).descendants((node, position) => {
    if (node.isText) {
      for (let index = 0; index < node.nodeSize; index += 1) positions.push(position + index);
      text += node.text ?? '';
    } else if (baseName(node.type.name) === 'hardBreak') {
      positions.push(position);
      text += '\n';
    } else if (node.isLeaf) {
      atoms.set(positions.length, `${ATOM}${node.type.name}${JSON.stringify(node.attrs)}`);
      positions.push(position);
      text += ATOM;
    }
  });
  return { text, positions, atoms };
}

/** Text of a stored value that {@link hasAnchoredText}; a missing value has none. Rich text has ProseMirror positions. */
export function anchoredText(value: unknown): AnchoredText {
  if (typeof value === 'string') return { text: value, positions: null, atoms: none };
  if (typeof value === 'object' && value !== null) return documentText(value);
  return { text: '', positions: null, atoms: none };
}

/** Index of the first unit at or after a position. */
export function indexAt({ text, positions }: AnchoredText, position: number): number {
  if (positions === null) return Math.min(position, text.length);
  let [low, high] = [0, positions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const positionAt = ({ positions }: AnchoredText, index: number): number =>
  positions === null ? index : (positions[index] ?? 0);

/** Whether two successive units are not next to each other: a block ends between them. */
export const isBreak = ({ positions }: AnchoredText, index: number): boolean =>
  positions !== null && index > 0 && positions[index] !== (positions[index - 1] ?? 0) + 1;

/** The text in a range, one line per block; empty if there is none or the range exceeds a plain text. */
export function quoteOf(value: AnchoredText, { from, to }: TextRange): string {
  if (value.positions === null && to > value.text.length) return '';
  const start = indexAt(value, from);
  const units = value.text.slice(start, indexAt(value, to)).split('');
  return units
    .map((unit, index) => (index > 0 && isBreak(value, start + index) ? `\n${unit}` : unit))
    .join('');
}

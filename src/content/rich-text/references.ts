import type { RichTextNode } from '../../../contracts/rich-text.js';
import { baseName } from './vocabulary.js';

/** An entry or asset that a document tree names. */
export interface RichTextReference {
  readonly to: 'entry' | 'asset';
  readonly id: string;
  /** A mention counts as a link; embeds are content of their own. */
  readonly as: 'link' | 'mention' | 'embed';
}

function referencesOfNode({ type, attrs = {}, marks = [] }: RichTextNode): RichTextReference[] {
  const found: RichTextReference[] = [];
  const add = (to: RichTextReference['to'], id: unknown, as: RichTextReference['as']): void => {
    if (typeof id === 'string') found.push({ to, id, as });
  };
  const name = baseName(type);
  if (name === 'assetEmbed') add('asset', attrs.assetId, 'embed');
  if (name === 'entryEmbed') add('entry', attrs.entryId, 'embed');
  if (name === 'entryMention') add('entry', attrs.entryId, 'mention');
  for (const mark of marks) {
    if (baseName(mark.type) !== 'link') continue;
    add('entry', mark.attrs?.entryId, 'link');
    add('asset', mark.attrs?.assetId, 'link');
  }
  return found;
}

/** In the order of the tree, with repetitions. */
export function referencesOf(node: RichTextNode): RichTextReference[] {
  return [...referencesOfNode(node), ...(node.content ?? []).flatMap(referencesOf)];
}

function mapId<T extends { attrs?: Record<string, unknown> | undefined }>(
  part: T,
  map: (id: string) => string,
): T {
  const id = part.attrs?.entryId;
  return typeof id === 'string' ? { ...part, attrs: { ...part.attrs, entryId: map(id) } } : part;
}

/** The tree with other ids of entries. */
export function withEntries(node: RichTextNode, map: (id: string) => string): RichTextNode {
  return {
    ...mapId(node, map),
    ...(node.marks && { marks: node.marks.map((mark) => mapId(mark, map)) }),
    ...(node.content && { content: node.content.map((child) => withEntries(child, map)) }),
  };
}

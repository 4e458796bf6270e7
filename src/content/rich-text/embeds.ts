import type { RichTextNode } from '../../../contracts/resources/rich-text.js';
import { baseName } from './vocabulary.js';

/** Ids of the assets that a tree embeds, in its order. */
export function embeddedAssets(node: RichTextNode): string[] {
  const id = baseName(node.type) === 'assetEmbed' ? node.attrs?.assetId : undefined;
  return [...(typeof id === 'string' ? [id] : []), ...(node.content ?? []).flatMap(embeddedAssets)];
}

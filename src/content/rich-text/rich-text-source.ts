import type { Warning } from '../../../contracts/envelopes.js';
import type { RichTextNode } from '../../../contracts/rich-text.js';
import type { Problem } from '../model/problem.js';

/** Written instead of a document tree (rule content/rich-text). */
export type RichTextSource = { readonly html: string } | { readonly markdown: string };

export type ConvertedRichText =
  | { readonly doc: RichTextNode; readonly warnings: readonly Warning[] }
  | { readonly problems: readonly Problem[] };

/** Undefined for a document tree, or anything else. */
export function richTextSourceOf(value: unknown): RichTextSource | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const [[key, text] = [], ...more] = Object.entries(value);
  if (more.length > 0 || typeof text !== 'string') return undefined;
  if (key === 'html') return { html: text };
  return key === 'markdown' ? { markdown: text } : undefined;
}

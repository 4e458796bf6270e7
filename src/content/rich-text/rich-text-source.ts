import type { Warning } from '../../../contracts/envelopes.js';
import type { RichTextNode } from '../../../contracts/rich-text.js';
import type { Problem } from '../model/problem.js';

/** Written instead of a document tree (rule content/rich-text). */
export type RichTextSource = ({ readonly html: string } | { readonly markdown: string }) & {
  /** Whether images of other servers become assets. */
  readonly importImages?: true;
};

export type ConvertedRichText =
  | { readonly doc: RichTextNode; readonly warnings: readonly Warning[] }
  | { readonly problems: readonly Problem[] };

/** Images that are assets already. */
export interface KnownImages {
  /** What the URLs of the project's files start with; the id of the asset follows. */
  readonly ownMedia: readonly string[];
  /** Ids of assets by the `src` of images. */
  readonly pictures: ReadonlyMap<string, string>;
}

/** An image whose source is no asset. */
export interface ForeignImage {
  readonly src: string;
  readonly alt: string;
}

/** What a conversion thread is asked. */
export type ConversionTask =
  | { readonly task: 'convert'; readonly source: RichTextSource; readonly known: KnownImages }
  | { readonly task: 'images'; readonly source: RichTextSource; readonly known: KnownImages };

export type ConversionResult = ConvertedRichText | readonly ForeignImage[];

const keys: ReadonlySet<string> = new Set(['html', 'markdown', 'importImages']);

/** Undefined for a document tree, or anything else. */
export function richTextSourceOf(value: unknown): RichTextSource | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Object.keys(value).every((key) => keys.has(key))) return undefined;
  const { html, markdown, importImages = false } = value as Record<string, unknown>;
  if (typeof importImages !== 'boolean') return undefined;
  const options = importImages ? { importImages } : {};
  if (typeof html === 'string' && markdown === undefined) return { html, ...options };
  return typeof markdown === 'string' && html === undefined ? { markdown, ...options } : undefined;
}

/** What is converted. */
export const markupOf = (source: RichTextSource): string =>
  'html' in source ? source.html : source.markdown;

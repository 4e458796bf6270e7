import { z } from 'zod';

/** A mark on a text: bold, a link … */
export interface RichTextMark {
  type: string;
  attrs?: Record<string, unknown> | undefined;
}

/** One node of a document tree; the root has type `doc`. */
export interface RichTextNode {
  type: string;
  attrs?: Record<string, unknown> | undefined;
  content?: RichTextNode[] | undefined;
  marks?: RichTextMark[] | undefined;
  text?: string | undefined;
}

/** Delivery form of a rich text (specification 2.1). */
export const RichTextValue = z
  .object({
    raw: z.record(z.string(), z.unknown()).meta({ description: 'The document tree: type, content[].' }),
    html: z.string().meta({ description: 'Escaped HTML; links carry allowlisted protocols only.' }),
    text: z.string().meta({ description: 'Plain text, blocks separated by blank lines.' }),
  })
  .meta({ id: 'RichTextValue', description: 'A rich text as raw tree, HTML and plain text.' });
/** The same with the tree's own type, as the kernel makes it. */
export interface RichTextValue {
  raw: RichTextNode;
  html: string;
  text: string;
}

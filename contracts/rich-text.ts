import { z } from 'zod';

/** Bold, a link … */
export interface RichTextMark {
  type: string;
  attrs?: Record<string, unknown> | undefined;
}

/** The root has type `doc`. */
export interface RichTextNode {
  type: string;
  attrs?: Record<string, unknown> | undefined;
  content?: RichTextNode[] | undefined;
  marks?: RichTextMark[] | undefined;
  text?: string | undefined;
}

/** Rule content/rich-text. */
export const RichTextValue = z
  .object({
    raw: z.record(z.string(), z.unknown()).meta({ description: 'The document tree: type, content[].' }),
    html: z.string().meta({ description: 'Escaped HTML. Links have allowlisted protocols only.' }),
    text: z.string().meta({ description: 'Plain text, blocks separated by blank lines.' }),
  })
  .meta({ id: 'RichTextValue', description: 'Rich text as a document tree, HTML and plain text.' });
/** With the tree's own type. */
export interface RichTextValue {
  raw: RichTextNode;
  html: string;
  text: string;
}

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

/** What a text names, as it is now. */
export const RichTextLink = z
  .object({
    _type: z.string().meta({ description: 'apiName of the content type, or MediaAsset.', example: 'page' }),
    _slug: z
      .string()
      .nullable()
      .meta({ description: 'Slug of an entry; null for an asset.', example: 'team' }),
    _path: z.string().nullable().meta({
      description: 'Path of an entry in the requested locale, null without a route; the URL of an asset.',
      example: '/about/team',
    }),
    title: z.string().nullable().meta({ description: 'Title of the entry or asset.', example: 'Our team' }),
  })
  .meta({
    id: 'RichTextLink',
    description: 'An entry or asset that rich text links to, mentions or embeds.',
  });
export type RichTextLink = z.infer<typeof RichTextLink>;

const description = 'Rich text as a document tree, HTML and plain text.';

/** As it is stored. */
export const StoredRichText = z
  .object({
    raw: z.record(z.string(), z.unknown()).meta({ description: 'The document tree: type, content[].' }),
    html: z.string().meta({
      description:
        'Escaped HTML. Links have allowlisted protocols only; those to entries and assets have their current URL.',
    }),
    text: z.string().meta({ description: 'Plain text, blocks separated by blank lines.' }),
  })
  .meta({ description });

/** Rule content/rich-text. */
export const RichTextValue = StoredRichText.extend({
  links: z.record(z.string(), RichTextLink).optional().meta({
    description:
      'Published entries and assets that the rich text links to, mentions or embeds, by id. Present from `include=1` on.',
  }),
}).meta({ id: 'RichTextValue', description });
/** With the tree's own type. */
export interface RichTextValue {
  raw: RichTextNode;
  html: string;
  text: string;
  links?: Record<string, RichTextLink> | undefined;
}

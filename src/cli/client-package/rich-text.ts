/** Documents keep the spelling that they were written with: `bulletList` or `bullet_list`. */
export interface RichTextMark {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>> | undefined;
}

/** A node of a document tree, whose root has the type `doc`. */
export interface RichTextNode {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>> | undefined;
  readonly content?: readonly RichTextNode[] | undefined;
  readonly marks?: readonly RichTextMark[] | undefined;
  readonly text?: string | undefined;
}

/** What a text names, as it is now. */
export interface RichTextLink {
  /** apiName of the content type, or `MediaAsset`. */
  readonly _type: string;
  readonly _slug: string | null;
  /** Path of an entry, null without a route; the URL of an asset. */
  readonly _path: string | null;
  readonly title: string | null;
}

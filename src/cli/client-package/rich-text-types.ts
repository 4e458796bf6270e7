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

/** A value as delivery returns it. Without `html`, links have the paths of `links`, and pictures are links. */
export interface RichTextValue {
  readonly raw: RichTextNode;
  readonly html?: string | undefined;
  readonly links?: Readonly<Record<string, RichTextLink>> | undefined;
}

/** What an element was made of. A mention is an embed in a line. */
export interface RichTextOrigin {
  readonly kind: 'link' | 'embed' | 'node';
  /** Name of the node or mark, in the spelling `bulletList`. */
  readonly name: string;
  readonly node: RichTextNode | RichTextMark;
  /** Id of the entry or asset that it names. */
  readonly id?: string | undefined;
  /** The entry or asset, if readers can see it. */
  readonly link?: RichTextLink | undefined;
}

export interface RichTextElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly RichTextPart[];
  /** Absent for elements within another one of the same node, such as `code` in `pre`. */
  readonly origin?: RichTextOrigin | undefined;
}

export type RichTextPart = string | RichTextElement;

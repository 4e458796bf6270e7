import type { DeliveryMedia, Inputs, Outputs } from './operations.js';
import type { RichTextLink, RichTextNode } from './rich-text-types.js';
import type { CallOptions } from './service-calls.js';

/** Levels of references that a read expands: its `include`. */
export type Depth = 0 | 1 | 2 | 3;

/** One level less. */
export type Less<D extends Depth> = D extends 3 ? 2 : D extends 2 ? 1 : 0;

/** `draft` for reads with a preview or management key: required fields can be null in them. */
export type Status = 'published' | 'draft';

/** How a read expands blocks that are part of an entry: its `blocks`. */
export type BlockMode = 'hops' | 'all';

/** A reference that is not expanded: at `include=0`, to an entry that is not published, or back to an entry above. */
export interface LinkTo<Type extends string> {
  readonly _ref: string;
  readonly _type: Type;
}

/** System fields of an entry. */
export interface EntryOf<Type extends string, S extends Status> {
  readonly _id: string;
  readonly _type: Type;
  readonly _slug: string;
  readonly _siteId: string;
  readonly _locale: string;
  readonly _publishedAt: S extends 'draft' ? string | null : string;
  /** Present with `paths`; null without a route. */
  readonly _path?: string | null | undefined;
}

/** A required value, which drafts can lack. */
export type Filled<Value, S extends Status> = S extends 'draft' ? Value | null : Value;

/** An entry from `include=1` on, if it is published; else a link. */
export type Reference<Type extends string, D extends Depth, Entry> =
  LinkTo<Type> | (D extends 0 ? never : Entry);

/**
 * A block that is part of the entry, or a shared one. With `blocks=all` only shared blocks need a level.
 * @typeParam Next the block with one level less
 * @typeParam Same the block with the levels of its entry
 */
export type Block<Type extends string, D extends Depth, B extends BlockMode, Next, Same> =
  LinkTo<Type> | (D extends 0 ? never : Next) | (B extends 'all' ? Same : never);

export interface DeliveredAsset extends DeliveryMedia {
  readonly _id: string;
  readonly _type: 'MediaAsset';
}

/** The value of a media field: the file from `include=1` on, if readers can see it. */
export type MediaField<D extends Depth> = LinkTo<'MediaAsset'> | (D extends 0 ? never : DeliveredAsset);

interface Text {
  readonly raw: RichTextNode;
  readonly html: string;
  readonly text: string;
  /** What the text names and readers can see, by id; absent at `include=0`. */
  readonly links?: Readonly<Record<string, RichTextLink>> | undefined;
}

interface LinkedText extends Text {
  readonly links: Readonly<Record<string, RichTextLink>>;
}

/** Also the texts of the last entries that a read expands have `links`. */
export type RichText<D extends Depth> = D extends 0 ? Text : LinkedText;

interface AnyEntry {
  readonly _type: string;
  readonly fields: object;
}

/** Content types by name, with their entries at each depth: `ContentTypes` of `headwater types --rest`. */
export type ContentTypeMap = Readonly<
  Record<string, Readonly<Record<BlockMode, readonly [AnyEntry, AnyEntry, AnyEntry, AnyEntry]>>>
>;

type EntryAt<
  Types extends ContentTypeMap,
  Name extends keyof Types,
  D extends Depth,
  B extends BlockMode,
> = Name extends keyof Types ? Types[Name][B][D] : never;

type FieldOf<Entry> = Entry extends { readonly fields: infer Fields } ? keyof Fields & string : never;

/** An entry with some of its fields. */
type Selected<Entry, Field extends string> = Entry extends { readonly fields: infer Fields }
  ? [keyof Fields] extends [Field]
    ? Entry
    : Omit<Entry, 'fields'> & { readonly fields: Pick<Fields, Field & keyof Fields> }
  : never;

interface Expansion<D extends Depth, B extends BlockMode> {
  readonly include?: D | undefined;
  readonly blocks?: B | undefined;
}

interface Choice<Name, Field> {
  readonly contentTypeApiName: Name;
  readonly fields?: readonly Field[] | undefined;
}

type Reads = Inputs['delivery'];
type Given<Read extends keyof Reads> = Omit<
  Reads[Read],
  'projectSlug' | 'siteSlug' | keyof Expansion<Depth, BlockMode> | keyof Choice<string, string>
>;
type Returned<Read extends keyof Reads, Data> = Omit<Outputs['delivery'][Read], 'data'> & {
  readonly data: Data;
};
type Hit<Entry> = Omit<Outputs['delivery']['searchContent']['data'][number], 'entry'> & {
  readonly entry: Entry;
};
type Found<Entry> =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | Extract<Outputs['delivery']['resolveRoute']['data'], { readonly kind: 'redirect' }>;

interface ListContent<Types extends ContentTypeMap> {
  /** @throws HeadwaterError */
  <
    Name extends keyof Types & string,
    D extends Depth = 0,
    B extends BlockMode = 'hops',
    Field extends FieldOf<EntryAt<Types, Name, D, B>> = FieldOf<EntryAt<Types, Name, D, B>>,
  >(
    input: Given<'listContent'> & Choice<Name, Field> & Expansion<D, B>,
    options?: CallOptions,
  ): Promise<Returned<'listContent', Selected<EntryAt<Types, Name, D, B>, Field>[]>>;
  /** The entries of all pages, which are read when they are needed. */
  all<
    Name extends keyof Types & string,
    D extends Depth = 0,
    B extends BlockMode = 'hops',
    Field extends FieldOf<EntryAt<Types, Name, D, B>> = FieldOf<EntryAt<Types, Name, D, B>>,
  >(
    input: Given<'listContent'> & Choice<Name, Field> & Expansion<D, B>,
    options?: CallOptions,
  ): AsyncGenerator<Selected<EntryAt<Types, Name, D, B>, Field>, void, undefined>;
}

/** Reads of entries with the types of a project. */
export interface TypedReads<Types extends ContentTypeMap> {
  readonly listContent: ListContent<Types>;
  /** @throws HeadwaterError */
  getEntry<D extends Depth = 0, B extends BlockMode = 'hops'>(
    input: Given<'getEntry'> & Expansion<D, B>,
    options?: CallOptions,
  ): Promise<Returned<'getEntry', EntryAt<Types, keyof Types, D, B>>>;
  /** @throws HeadwaterError */
  resolveRoute<D extends Depth = 0, B extends BlockMode = 'hops'>(
    input: Given<'resolveRoute'> & Expansion<D, B>,
    options?: CallOptions,
  ): Promise<Returned<'resolveRoute', Found<EntryAt<Types, keyof Types, D, B>>>>;
  /** @throws HeadwaterError */
  searchContent<
    Name extends keyof Types & string = keyof Types & string,
    D extends Depth = 0,
    B extends BlockMode = 'hops',
    Field extends FieldOf<EntryAt<Types, Name, D, B>> = FieldOf<EntryAt<Types, Name, D, B>>,
  >(
    input: Given<'searchContent'> & Partial<Choice<Name | readonly Name[], Field>> & Expansion<D, B>,
    options?: CallOptions,
  ): Promise<Returned<'searchContent', Hit<Selected<EntryAt<Types, Name, D, B>, Field>>[]>>;
}

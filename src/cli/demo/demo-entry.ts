/** A link to another demo entry by its name. */
export interface NamedLink {
  readonly linkTo: string;
}

/** Rich text, written as HTML. */
export interface HtmlValue {
  readonly html: string;
}

/** A block of an entry. */
export interface DemoBlock {
  /** Its type. */
  readonly block: string;
  /** Unique in its entry: a load that is repeated finds it by this name. */
  readonly name: string;
  /** Values that all locales share. */
  readonly fields?: DemoValues;
  readonly locales: Readonly<Record<string, DemoValues>>;
}

/** Values by field apiName. */
export type DemoValues = Readonly<Record<string, unknown>>;

export interface DemoLocale {
  readonly slug: string;
  readonly fields: DemoValues;
  /** Published by default. */
  readonly status?: 'draft' | 'changed';
  /** For `changed`: values that differ in the published document. */
  readonly live?: DemoValues;
}

interface Placed {
  /** Target of {@link linkTo} and of `below`. */
  readonly name: string;
  readonly site: string;
  /** Name of the page or folder that it is in; pages without one are at the top of their site. */
  readonly below?: string;
}

/** The first locale is the one it is created in. */
export interface DemoEntry extends Placed {
  readonly type: string;
  /** A page outside the menus. */
  readonly isHidden?: true;
  readonly shared?: DemoValues;
  readonly locales: Readonly<Record<string, DemoLocale>>;
}

/** A folder, which has a slug, or a link, which has a URL. */
export interface DemoNode extends Placed {
  readonly node: { readonly name: string; readonly slug?: string; readonly url?: string };
}

/** In the order of the menus, what is below a page or folder after it. */
export type DemoItem = DemoEntry | DemoNode;

export interface DemoRedirect {
  readonly site: string;
  readonly source: string;
  readonly target: string;
  readonly matchType?: 'prefix';
  readonly status?: 302;
}

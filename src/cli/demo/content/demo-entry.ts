/** A link to another demo entry by its name. */
export interface NamedLink {
  readonly linkTo: string;
}

/** Rich text, written as HTML. */
export interface HtmlValue {
  readonly html: string;
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

/** The first locale is the one it is created in. */
export interface DemoEntry {
  /** Target of {@link linkTo}. */
  readonly name: string;
  readonly type: string;
  readonly site: string;
  readonly shared?: DemoValues;
  readonly locales: Readonly<Record<string, DemoLocale>>;
}

export const linkTo = (name: string): NamedLink => ({ linkTo: name });

export const html = (text: string): HtmlValue => ({ html: text });

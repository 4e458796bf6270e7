/** Stands for a link to another demo entry, by the name it has here. */
export interface LinkByName {
  readonly linkTo: string;
}

/** Stands for a rich text, written as HTML. */
export interface TextAsHtml {
  readonly html: string;
}

/** Values by field apiName; {@link LinkByName} and {@link TextAsHtml} stand for what is made at loading. */
export type DemoValues = Readonly<Record<string, unknown>>;

/** One language version of a demo entry. */
export interface DemoLocale {
  readonly slug: string;
  readonly fields: DemoValues;
  /** How it is left: published unless said otherwise. */
  readonly status?: 'draft' | 'changed';
  /** For `changed`: values that differ in what is live. */
  readonly live?: DemoValues;
}

/** A demo entry. Its first locale is the one it is created in. */
export interface DemoEntry {
  /** By which other demo entries link to it. */
  readonly name: string;
  readonly type: string;
  readonly site: string;
  /** Values that every locale shares. */
  readonly shared?: DemoValues;
  readonly locales: Readonly<Record<string, DemoLocale>>;
}

/** A link to the demo entry of this name. */
export const linkTo = (name: string): LinkByName => ({ linkTo: name });

/** A rich text, written as HTML. */
export const html = (text: string): TextAsHtml => ({ html: text });

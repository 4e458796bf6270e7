import type { DeliveryEntry } from '../../../../contracts/publishing/delivery/content-entry.js';

/** JSON that is joined from texts, and what identifies it: equal identities have equal texts. */
export class JsonText {
  #text = '';
  #identity = '';

  get text(): string {
    return this.#text;
  }

  /** Shorter than the text where parts of it are known by a digest. */
  get identity(): string {
    return this.#identity;
  }

  add(text: string): this {
    this.#text += text;
    this.#identity += text;
    return this;
  }

  /** @param digest no other text has it; JSON is not mistaken for one, as it has no line breaks */
  addKnown(text: string, digest: string): this {
    this.#text += text;
    this.#identity += `\n${digest}\n`;
    return this;
  }

  append({ text, identity }: JsonText): this {
    this.#text += text;
    this.#identity += identity;
    return this;
  }
}

/** An entry that is sent as text. Its keys are parsed on access, which only validation does. */
export class EntryText implements DeliveryEntry {
  readonly #json: JsonText;
  #parsed: DeliveryEntry | undefined;

  constructor(json: JsonText) {
    this.#json = json;
  }

  get _id(): string {
    return this.entry._id;
  }

  get _type(): string {
    return this.entry._type;
  }

  get _slug(): string {
    return this.entry._slug;
  }

  get _siteId(): string {
    return this.entry._siteId;
  }

  get _locale(): string {
    return this.entry._locale;
  }

  get _publishedAt(): string | null {
    return this.entry._publishedAt;
  }

  get _path(): string | null | undefined {
    return this.entry._path;
  }

  get fields(): Record<string, unknown> {
    return this.entry.fields;
  }

  /** The entry that the text says. */
  get entry(): DeliveryEntry {
    this.#parsed ??= JSON.parse(this.#json.text) as DeliveryEntry;
    return this.#parsed;
  }

  /** The text of an envelope with entries, undefined if it has none. */
  static envelope(output: Readonly<Record<string, unknown>>): JsonText | undefined {
    const { data } = output;
    const entries: readonly unknown[] = Array.isArray(data) ? data : [data];
    if (!entries.every((entry) => entry instanceof EntryText)) return undefined;
    const [open, close] = Array.isArray(data) ? ['[', ']'] : ['', ''];
    const text = new JsonText();
    for (const [name, value] of Object.entries(output)) {
      text.add(text.text === '' ? `{"${name}":` : `,"${name}":`);
      if (value !== data) text.add(JSON.stringify(value));
      else {
        text.add(open);
        entries.forEach((entry, place) => (place > 0 ? text.add(',') : text).append(entry.#json));
        text.add(close);
      }
    }
    return text.add('}');
  }
}

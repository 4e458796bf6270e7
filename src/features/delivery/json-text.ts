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

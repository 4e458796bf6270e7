type Counts = Map<string, number>;

function add(counts: Counts, name: string, number = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + number);
}

/** Counts what the conversion to rich text kept and omitted, over any number of pages. */
export class HtmlTally {
  readonly convertedTags: Counts = new Map();
  /** Omitted elements; their text is kept, except of scripts and styles. */
  readonly droppedTags: Counts = new Map();
  readonly droppedAttributes: Counts = new Map();
  /** Links with unsafe URLs, by scheme; their text is kept. */
  readonly refusedLinks: Counts = new Map();
  /** Links within the corpus, by anchor. */
  readonly fragments: Counts = new Map();

  convertTag(tag: string): void {
    add(this.convertedTags, tag);
  }

  dropTag(tag: string): void {
    add(this.droppedTags, tag);
  }

  dropAttribute(name: string): void {
    add(this.droppedAttributes, name);
  }

  refuseLink(href: string): void {
    add(this.refusedLinks, /^[A-Za-z][A-Za-z0-9+.-]*(?=:)/.exec(href)?.[0].toLowerCase() ?? 'other');
  }

  linkToFragment(anchor: string): void {
    add(this.fragments, anchor);
  }

  merge(other: HtmlTally): void {
    const pairs: [Counts, Counts][] = [
      [this.convertedTags, other.convertedTags],
      [this.droppedTags, other.droppedTags],
      [this.droppedAttributes, other.droppedAttributes],
      [this.refusedLinks, other.refusedLinks],
      [this.fragments, other.fragments],
    ];
    for (const [mine, theirs] of pairs) for (const [name, number] of theirs) add(mine, name, number);
  }
}

import { copyOf, type Locale, type Model, type ModelEntry, type Values } from './model.js';

/** The last apply of a schema: what was before it, and what has been written since. */
export class Applied {
  readonly #before: Model;
  readonly #edited = new Set<string>();
  /** Published since, with or without an edit since. */
  readonly #published = new Map<string, 'edited' | 'unedited'>();

  constructor(
    readonly applyId: string,
    /** Keys of fields that it created. */
    readonly created: readonly number[],
    before: Model,
  ) {
    this.#before = copyOf(before);
  }

  noteEdit({ id }: ModelEntry): void {
    this.#edited.add(id);
  }

  notePublication({ id }: ModelEntry, locale: Locale): void {
    this.#published.set(`${id} ${locale}`, this.#edited.has(id) ? 'edited' : 'unedited');
  }

  /** Fields with their names and, if they had been deleted, their values, but where something newer was published. */
  undo(model: Model): void {
    for (const before of this.#before.types) {
      const type = model.types.find(({ key }) => key === before.key);
      if (type === undefined) continue;
      const held = new Map(type.fields.map((field) => [field.key, field]));
      const deleted = before.fields.filter(({ key }) => !held.has(key)).map(({ key }) => key);
      type.fields = before.fields.map((field) =>
        Object.assign(held.get(field.key) ?? field, { name: field.name }),
      );
      for (const entry of model.entries.filter((one) => one.type === type.key))
        for (const key of deleted) this.#restore(entry, key);
    }
  }

  #restore(entry: ModelEntry, key: number): void {
    const former = this.#before.entries.find(({ id }) => id === entry.id);
    if (former === undefined) return;
    const copy = (from: Values | undefined, to: Values): void => {
      if (from?.has(key)) to.set(key, from.get(key));
    };
    copy(former.shared, entry.shared);
    for (const [locale, values] of entry.drafts) copy(former.drafts.get(locale), values);
    for (const [locale, values] of entry.live) {
      const since = this.#published.get(`${entry.id} ${locale}`);
      if (since === undefined) copy(former.live.get(locale), values);
      if (since !== 'unedited') continue;
      copy(former.shared, values);
      copy(former.drafts.get(locale), values);
    }
  }
}

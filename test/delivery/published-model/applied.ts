import { partsOf } from './blocks.js';
import { allDrafts, draftValues, setDrafts } from './drafts.js';
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
    const drafts = model.entries.map((entry) => [entry, allDrafts(entry)] as const);
    const deleted = new Map<number, readonly number[]>();
    for (const before of this.#before.types) {
      const type = model.types.find(({ key }) => key === before.key);
      if (type === undefined) continue;
      const held = new Map(type.fields.map((field) => [field.key, field]));
      const keys = before.fields.filter(({ key }) => !held.has(key)).map(({ key }) => key);
      deleted.set(type.key, keys);
      type.fields = before.fields.map((field) =>
        Object.assign(held.get(field.key) ?? field, { name: field.name }),
      );
    }
    for (const [entry, own] of drafts) {
      this.#restore(entry, own, deleted);
      setDrafts(model, entry, own);
    }
  }

  #restore(
    entry: ModelEntry,
    drafts: readonly (readonly [Locale, Values])[],
    deleted: ReadonlyMap<number, readonly number[]>,
  ): void {
    const former = this.#before.entries.find(({ id }) => id === entry.id);
    if (former === undefined) return;
    const copy = (from: Values | undefined, to: Values): void => {
      const parts = partsOf({ type: entry.type, values: from ?? new Map<number, unknown>() });
      const known = new Map(parts.map(({ id = '', values }) => [id, values]));
      for (const { id = '', type, values } of partsOf({ type: entry.type, values: to }))
        for (const key of deleted.get(type) ?? [])
          if (known.get(id)?.has(key)) values.set(key, structuredClone(known.get(id)?.get(key)));
    };
    for (const [locale, values] of drafts) copy(draftValues(former, locale), values);
    for (const [locale, values] of entry.live) {
      const since = this.#published.get(`${entry.id} ${locale}`);
      if (since === undefined) copy(former.live.get(locale), values);
      if (since === 'unedited') copy(draftValues(former, locale), values);
    }
  }
}

import { TranslationModel, type Values } from './translation-model.js';
import { StateModel } from './workflow-model.js';

interface Snapshot {
  readonly locales: Readonly<Record<string, Values>>;
  readonly shared: Values;
}

const equal = (a: Values, b: Values): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((name) => a[name] === b[name]);

const put = (values: Values, name: string, value: string | null): Values => {
  const { [name]: _former, ...others } = values;
  return value === null ? others : { ...others, [name]: value };
};

/** One entry: what is written and published, its states and its translations. The source locale is `en`. */
export class EntryModel {
  version = 1;
  isDeleted = false;
  locales: Record<string, Values> = { en: { title: 'a' } };
  shared: Values = {};
  readonly live = new Map<string, Values>();
  readonly snapshots: Snapshot[] = [];
  readonly translations = new TranslationModel();
  readonly states: StateModel;

  constructor(author: string) {
    this.states = new StateModel(author);
    this.#keep();
  }

  write(locale: string, name: string, { value, author }: { value: string | null; author: string }): void {
    const isShared = name === 'code';
    const former = this.locales[locale];
    const fields = isShared ? (former ?? {}) : put(former ?? {}, name, value);
    const shared = isShared ? put(this.shared, name, value) : this.shared;
    this.#change({ locales: { [locale]: fields }, shared, author, isForced: former === undefined });
  }

  /** The version rises even if nothing differs. */
  restore(index: number, locale: string | undefined, author: string): void {
    const snapshot = this.snapshots[index];
    if (snapshot === undefined) return;
    const own = locale === undefined ? undefined : snapshot.locales[locale];
    const locales = locale === undefined || own === undefined ? snapshot.locales : { [locale]: own };
    const shared = locale === undefined ? snapshot.shared : this.shared;
    this.#change({ locales, shared, author, isForced: true });
  }

  /** False if a strict workflow refuses it. */
  publish(locale: string): boolean {
    const values = { ...this.shared, ...this.locales[locale] };
    if (!this.states.canPublish(locale)) return false;
    const live = this.live.get(locale);
    if (live !== undefined && equal(live, values)) return true;
    this.live.set(locale, values);
    this.translations.publish(locale, this.version, {
      values: this.locales[locale] ?? {},
      source: this.source,
    });
    return true;
  }

  set(locale: string, status: string): void {
    const { version, source } = this;
    this.translations.set(locale, status, { version, source, values: this.locales[locale] ?? {} });
  }

  delete(): void {
    this.isDeleted = true;
    this.live.clear();
  }

  get source(): Values {
    return this.locales.en ?? {};
  }

  #change(next: {
    locales: Record<string, Values>;
    shared: Values;
    author: string;
    isForced: boolean;
  }): void {
    const { locales, shared, author, isForced } = next;
    const before = this.locales;
    const written = Object.keys(locales).filter((code) => {
      const former = before[code];
      return former === undefined || !equal(former, locales[code] ?? {});
    });
    const isShared = !equal(shared, this.shared);
    if (!isForced && written.length === 0 && !isShared) return;
    this.version += 1;
    this.locales = { ...before, ...locales };
    this.shared = shared;
    this.#keep();
    if (written.length > 0 || isShared) this.states.write({ locales: written, isShared, author });
    for (const code of written) {
      const values = { before: before[code] ?? {}, after: locales[code] ?? {}, source: this.source };
      this.translations.write(code, this.version, values);
    }
  }

  #keep(): void {
    this.snapshots.push({ locales: this.locales, shared: this.shared });
  }
}

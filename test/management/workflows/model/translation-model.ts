export type Values = Readonly<Record<string, string>>;

interface Source {
  readonly value: string | undefined;
  readonly version: number;
}

/** Statuses of translations by the words of rules translations/status and translations/staleness: values instead of hashes. */
class Target {
  isWritten = false;
  stage = 'in_progress';
  made = new Map<string, Source>();
}

const namesOf = (...all: readonly Values[]): string[] => [...new Set(all.flatMap((one) => Object.keys(one)))];

export class TranslationModel {
  readonly targets: Readonly<Record<string, Target>> = { de: new Target(), fr: new Target() };
  #published: { readonly values: Values; readonly version: number } | undefined;

  /** After a locale was written. `source` is the draft it was made from. */
  write(
    locale: string,
    version: number,
    { before, after, source }: Record<'before' | 'after' | 'source', Values>,
  ): void {
    const target = this.targets[locale];
    if (target === undefined) return;
    target.isWritten = true;
    target.stage = 'in_progress';
    for (const name of namesOf(before, after)) {
      if (before[name] === after[name]) continue;
      target.made.delete(name);
      if (after[name] !== undefined) target.made.set(name, { value: source[name], version });
    }
  }

  publish(locale: string, version: number, { values, source }: Record<'values' | 'source', Values>): void {
    const target = this.targets[locale];
    if (target !== undefined) {
      target.stage = 'complete';
      for (const name of namesOf(source))
        if (!target.made.has(name)) target.made.set(name, { value: source[name], version });
      return;
    }
    this.#published = { values, version };
    for (const { isWritten, stage, made } of Object.values(this.targets))
      if (isWritten && stage === 'complete')
        for (const name of namesOf(values))
          if (!made.has(name)) made.set(name, { value: undefined, version: 0 });
  }

  set(
    locale: string,
    status: string,
    { version, values, source }: { version: number; values: Values; source: Values },
  ): void {
    const target = this.targets[locale];
    if (target === undefined || this.statusOf(locale) === status) return;
    target.stage = status;
    if (status !== 'complete') return;
    const all = namesOf(source, values);
    target.made = new Map(all.map((name) => [name, { value: source[name], version }]));
  }

  markStale(locale: string): void {
    const target = this.targets[locale];
    if (target !== undefined) target.stage = 'stale';
  }

  statusOf(locale: string): string {
    const target = this.targets[locale];
    if (target?.isWritten !== true) return 'missing';
    return target.stage === 'complete' && this.outdatedOf(locale).length > 0 ? 'stale' : target.stage;
  }

  outdatedOf(locale: string): string[] {
    const published = this.#published;
    if (published === undefined) return [];
    return [...(this.targets[locale]?.made ?? [])]
      .filter(
        ([name, { value, version }]) => version <= published.version && value !== published.values[name],
      )
      .map(([name]) => name)
      .sort();
  }
}

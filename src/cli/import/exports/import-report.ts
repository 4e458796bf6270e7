import { importKinds, type ImportKind, type Losses } from './export-source.js';

const outcomes = ['made', 'changed', 'same', 'skipped', 'lost'] as const;
type Outcome = (typeof outcomes)[number];

/** What an import has done, by kind. */
export class ImportReport {
  readonly #counts = new Map<string, number>();

  constructor(readonly losses: Losses) {}

  count(kind: ImportKind, outcome: Exclude<Outcome, 'lost'>, number = 1): void {
    const key = `${kind} ${outcome}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + number);
  }

  /** Lines of the report of losses. */
  of(kind: ImportKind, outcome: Outcome): number {
    if (outcome !== 'lost') return this.#counts.get(`${kind} ${outcome}`) ?? 0;
    return this.losses.count(kind);
  }

  /** A table of what was done. @param isDry what would be */
  toString(): string {
    const rows = importKinds
      .map((kind) => [kind, ...outcomes.map((outcome) => this.of(kind, outcome))] as const)
      .filter(([, ...numbers]) => numbers.some((number) => number > 0));
    const cells = [['', ...outcomes], ...rows.map((row) => row.map(String))];
    const line = ([name = '', ...numbers]: readonly string[]): string =>
      `${name.padEnd(10)}${numbers.map((text) => text.padStart(10)).join('')}\n`;
    return cells.map(line).join('');
  }
}

import {
  importKinds,
  importOutcomes,
  type ImportCount,
  type ImportKind,
  type ImportOutcome,
} from '../../../../contracts/editorial/imports/import-job.js';
import type { Losses } from './export-source.js';

/** What an import has done, by kind. */
export class ImportReport {
  readonly #counts = new Map<string, number>();

  constructor(readonly losses: Losses) {}

  count(kind: ImportKind, outcome: Exclude<ImportOutcome, 'lost'>, number = 1): void {
    const key = `${kind} ${outcome}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + number);
  }

  /** Lines of the report of losses. */
  of(kind: ImportKind, outcome: ImportOutcome): number {
    if (outcome !== 'lost') return this.#counts.get(`${kind} ${outcome}`) ?? 0;
    return this.losses.count(kind);
  }

  numbersOf(kind: ImportKind): Omit<ImportCount, 'kind'> {
    const [made, changed, same, skipped, lost] = importOutcomes.map((outcome) => this.of(kind, outcome));
    return { made, changed, same, skipped, lost } as Omit<ImportCount, 'kind'>;
  }

  /** A table of what was done. @param isDry what would be */
  toString(): string {
    const rows = importKinds
      .map((kind) => [kind, ...importOutcomes.map((outcome) => this.of(kind, outcome))] as const)
      .filter(([, ...numbers]) => numbers.some((number) => number > 0));
    const cells = [['', ...importOutcomes], ...rows.map((row) => row.map(String))];
    const line = ([name = '', ...numbers]: readonly string[]): string =>
      `${name.padEnd(10)}${numbers.map((text) => text.padStart(10)).join('')}\n`;
    return cells.map(line).join('');
  }
}

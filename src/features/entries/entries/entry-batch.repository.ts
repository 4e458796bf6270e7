import { Repository } from '../../../persistence/repositories/repository.js';
import { EntryTreeRepository } from '../../routing/tree/index.js';
import {
  isInTree,
  keyErrors,
  writtenLocale,
  type ContentChange,
  type LinkRow,
  type SavedEntry,
} from './entry.repository.js';
import { insertEntries, saveEntries } from './write-entries-sql.js';

interface SavedMarks extends Pick<SavedEntry, 'anchored'> {
  readonly id: string;
  readonly sharedHash: string;
  readonly contentHash: string;
}

function notSaved(): never {
  throw new Error('Entry was not saved');
}

/** Writers that use the same assets lock them in one order. */
const mediaInOrder = <L extends LinkRow>(links: readonly L[]): L[] =>
  links.filter(({ isMedia }) => isMedia).sort((a, b) => (a.targetId < b.targetId ? -1 : 1));

/** Writes several entries with one statement. */
export class EntryBatchRepository extends Repository {
  /** New entries outside every tree, each with one locale, in one statement; does not wait for it. */
  insertAll(changes: readonly ContentChange[]): void {
    if (changes.length === 0) return;
    const written = this.query(insertEntries, this.#valuesOfAll(changes));
    this.defer(this.mapViolations(written, keyErrors));
  }

  /** As `EntryRepository.save`, for changes of one locale each, in one statement. By id. */
  async saveAll(changes: readonly ContentChange[]): Promise<Map<string, SavedEntry>> {
    if (changes.length === 0) return new Map();
    const saved = this.query<SavedMarks>(saveEntries, this.#valuesOfAll(changes));
    const marks = new Map((await this.mapViolations(saved, keyErrors)).map((row) => [row.id, row]));
    const written = changes.map(({ entry, locales: [written] }) => {
      const { sharedHash, contentHash, anchored } = marks.get(entry.id) ?? notSaved();
      const locales = entry.locales.map((state) =>
        state.locale === written ? { ...state, contentHash } : state,
      );
      return { entry: { ...entry, sharedHash, locales }, anchored };
    });
    await new EntryTreeRepository(this.bound).refreshPaths(written.map(({ entry }) => entry));
    return new Map(written.map((saved) => [saved.entry.id, saved]));
  }

  /** Parameters of {@link insertEntries} and {@link saveEntries}. */
  #valuesOfAll(changes: readonly ContentChange[]): unknown[] {
    const { now, scope } = this.bound;
    const rows = changes.map(({ entry, locales, changedFields, comment }) => {
      const [state, ...others] = entry.locales.filter(({ locale }) => locales.includes(locale));
      if (state === undefined || others.length > 0) throw new Error('A change of one locale was expected');
      const { id, contentTypeId: type, siteId: site, version, sharedFields: shared, externalId } = entry;
      const row = {
        id,
        type,
        site,
        version,
        shared,
        externalId,
        ...writtenLocale(state),
        inTree: isInTree(entry),
      };
      return { ...row, changedFields, comment };
    });
    const links = changes.flatMap(({ entry, links: own }) =>
      own.map((link) => ({ entryId: entry.id, ...link })),
    );
    return [
      this.tenantId,
      this.environmentId,
      now,
      JSON.stringify(scope.actor),
      JSON.stringify(rows),
      // Assets come last, as in the rows of one entry.
      JSON.stringify([...links.filter(({ isMedia }) => !isMedia), ...mediaInOrder(links)]),
    ];
  }
}

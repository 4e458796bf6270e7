import type { BatchOutcome } from '../../../../contracts/entries/entries/batch.js';
import { limits } from '../../../../contracts/limits.js';
import { Name } from '../../../../contracts/primitives.js';
import type { Progress } from '../../progress.js';
import { inFlight, sendReduced } from '../send-items.js';
import { batchesOf, entryKey } from './entry-order.js';
import { EntryValues } from './entry-values.js';
import { isPublishedVersion, type EntryLink, type SourceEntry, type SourceVersion } from './export-source.js';
import type { ImportPlan } from './import-plan.js';
import type { ImportReport } from './import-report.js';
import type { ImportState } from './import-state.js';
import type { PreparedTarget } from './import-target.js';
import { StoredEntries } from './stored-entries.js';
import { factsLost, Refusals, type Job, type Reason, type Upsert } from './reduce-item.js';

/** Half of what a request may contain, because HTML and links grow. */
const BATCH = { items: limits.batchItems, characters: limits.requestBodyBytes / 2 };

type Done = 'made' | 'changed' | 'same';

export interface ImportContext {
  readonly target: PreparedTarget;
  readonly plan: ImportPlan;
  readonly report: ImportReport;
  readonly state: ImportState;
  readonly assets: ReadonlyMap<string, string>;
}

/** Writes the entries of an export under their external ids. What cannot be written is left out, and a loss. */
export class EntryImport {
  readonly #stored: StoredEntries;
  readonly #done = new Map<string, Done>();
  /** Entries with links to entries that did not exist yet. */
  readonly #partial: SourceEntry[] = [];
  /** Whether links may lead to entries that are written later. */
  #isFirstPass = true;
  readonly #refusals: Refusals;

  constructor(private readonly context: ImportContext) {
    this.#refusals = new Refusals(context.report.losses);
    this.#stored = new StoredEntries(context.target, context.plan);
  }

  /** Versions of entries that could not be written. */
  get failed(): number {
    return this.#refusals.failed;
  }

  /** Entries that exist count as the same. */
  async preview(): Promise<void> {
    const { report } = this.context;
    const planned = this.#planned();
    await this.#stored.readAll();
    const all = new Set(planned.map(entryKey));
    for (const entry of planned) {
      report.count('entry', this.#stored.has(entryKey(entry)) ? 'same' : 'made');
      this.#jobsOf(entry, all);
    }
  }

  #planned(): SourceEntry[] {
    const { plan, report } = this.context;
    const planned = plan.source.entries.filter(({ type }) => plan.types.has(type));
    report.count('entry', 'skipped', plan.source.entries.length - planned.length);
    return planned;
  }

  async write(progress: Progress): Promise<void> {
    const { report, state } = this.context;
    const planned = this.#planned();
    await this.#stored.readAll();
    progress.start(planned.length);
    try {
      const work = async ({ entries }: { readonly entries: readonly SourceEntry[] }): Promise<void> => {
        const open = entries.filter((entry) => !state.has(entryKey(entry)));
        await this.#writeBatch(open, new Set(open.map(entryKey)));
        const partial = new Set(this.#partial);
        await state.add(
          open.filter((entry) => this.#done.has(entryKey(entry)) && !partial.has(entry)).map(entryKey),
        );
        progress.advance(entries.length);
      };
      await inFlight(await batchesOf(planned, BATCH), work, ({ after }) => after);
      this.#isFirstPass = false;
      for (const { entries } of await batchesOf(this.#partial, BATCH))
        await this.#writeBatch(entries, new Set());
    } finally {
      progress.stop();
    }
    for (const outcome of this.#done.values()) report.count('entry', outcome);
  }

  /** Id of its node in the tree. */
  nodeOf(entry: SourceEntry): string | undefined {
    return this.#stored.get(entryKey(entry))?.nodeId ?? undefined;
  }

  /**
   * Writes some entries of a table as if they were all, so that memory does not grow with their number.
   * @param isLast whether links that lead nowhere are losses
   * @returns those with links to entries that do not exist yet
   */
  async writePart(entries: readonly SourceEntry[], isLast: boolean): Promise<readonly SourceEntry[]> {
    this.#startPart();
    await this.#stored.readNamed(entries);
    for (const { entries: batch } of await batchesOf(entries, BATCH))
      await this.#writeBatch(batch, isLast ? new Set() : new Set(batch.map(entryKey)));
    for (const outcome of isLast ? [] : this.#done.values()) this.context.report.count('entry', outcome);
    return [...this.#partial];
  }

  async previewPart(entries: readonly SourceEntry[]): Promise<void> {
    this.#startPart();
    await this.#stored.readNamed(entries);
    const all = new Set(entries.map(entryKey));
    for (const entry of entries) {
      this.context.report.count('entry', this.#stored.has(entryKey(entry)) ? 'same' : 'made');
      this.#jobsOf(entry, all);
    }
  }

  #startPart(): void {
    this.#done.clear();
    this.#partial.length = 0;
  }

  async #writeBatch(entries: readonly SourceEntry[], together: ReadonlySet<string>): Promise<void> {
    const jobs = entries.flatMap((entry) => this.#jobsOf(entry, together));
    for (let start = 0; start < jobs.length; start += limits.batchItems)
      await this.#send(jobs.slice(start, start + limits.batchItems));
  }

  /** One for each locale that is imported. @param together entries of the same batch */
  #jobsOf(entry: SourceEntry, together: ReadonlySet<string>): Job[] {
    const { plan, assets } = this.context;
    const type = plan.types.get(entry.type);
    if (type === undefined) return [];
    let isPartial = false;
    const jobs = entry.versions.flatMap((version, index): Job[] => {
      const locale = plan.locales.get(version.locale);
      if (locale === undefined) return [];
      const canLink = (link: EntryLink): boolean => {
        if (together.has(entryKey(link)) || this.#stored.has(entryKey(link))) return true;
        if (plan.source.table !== undefined && together.size === 0)
          this.#lose(entry, version.locale, missingLink(link));
        return false;
      };
      const lose = (field: string, reason: Reason): void => {
        this.#lose(entry, `${version.locale} / ${field}`, reason);
      };
      const values = new EntryValues({ plan, assets, canLink, lose }).write(type, version, index === 0);
      isPartial ||= values.isPartial;
      return [
        {
          entry,
          version,
          losses: this.#refusals.keepsFacts ? [] : [factsLost],
          item: this.#itemOf(entry, version, { locale, fields: values.fields }),
        },
      ];
    });
    if (isPartial && together.size > 0) this.#partial.push(entry);
    return jobs;
  }

  #itemOf(
    entry: SourceEntry,
    version: SourceVersion,
    written: { locale: string; fields: Record<string, unknown> },
  ): Upsert {
    const { plan, target } = this.context;
    const type = plan.types.get(entry.type);
    const named = plan.source.table === undefined ? plan.authors.get(entry.author ?? '') : entry.author;
    const author = Name.safeParse(named).data;
    const parentId =
      entry.parent === undefined
        ? undefined
        : (this.#stored.get(entryKey(entry.parent))?.nodeId ?? undefined);
    const isNew = !this.#stored.has(entryKey(entry));
    const isPublished = isPublishedVersion(entry, version);
    return {
      action: 'upsert',
      contentTypeApiName: type?.apiName ?? '',
      siteId: target.siteId,
      externalId: entry.id,
      fields: written.fields,
      ...(type?.source.isLocalized === true && written.locale !== '' && { locale: written.locale }),
      ...(version.slug !== undefined && { slug: version.slug }),
      ...(type?.source.isPage === true && { treeParentId: parentId ?? (isNew ? null : undefined) }),
      ...(this.#refusals.keepsFacts && {
        createdAt: entry.facts.createdAt,
        updatedAt: entry.facts.updatedAt,
        ...(author !== undefined && { createdByName: author }),
        ...(isPublished && { publishedAt: version.state?.publishedAt ?? entry.facts.publishedAt }),
      }),
      publish: isPublished,
    };
  }

  #send(jobs: readonly Job[]): Promise<void> {
    return sendReduced(this.context.target, jobs, {
      done: (job, outcome) => {
        this.#note(job, outcome);
      },
      reduce: this.#refusals.reduce,
    });
  }

  #note({ entry, item, losses, version: source }: Job, outcome: BatchOutcome): void {
    const { version, status, treeNodeId, created } = outcome;
    const [key, locale] = [entryKey(entry), outcome.locale ?? ''];
    const known = this.#stored.get(key);
    const isSame = known?.version === version && known?.statuses.get(locale) === status;
    const before = this.#done.get(key);
    const done = created ? 'made' : isSame ? 'same' : 'changed';
    if (before === undefined || (before === 'same' && done === 'changed')) this.#done.set(key, done);
    const statuses = known?.statuses ?? new Map<string, string>();
    this.#stored.set(key, {
      version: version ?? 0,
      nodeId: treeNodeId,
      statuses: statuses.set(locale, status ?? ''),
    });
    const isTable = this.context.plan.source.table !== undefined;
    // An entry of a cycle is published once the others exist.
    if (this.#isFirstPass && !isTable && isPublishedVersion(entry, source) && item.publish !== true) {
      if (!this.#partial.includes(entry)) this.#partial.push(entry);
    } else for (const [place, reason] of losses) this.#lose(entry, place, reason);
  }

  #lose({ where }: SourceEntry, place: string, reason: Reason): void {
    this.context.report.losses.add('entry', `${where} / ${place}`, reason);
  }
}

const missingLink = ({ type, id }: EntryLink): Reason => [
  `the link to ${type} ${id}`,
  'No entry has this external id.',
  'Import it, or edit the entry.',
];

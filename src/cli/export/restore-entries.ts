import type { BatchOutcome } from '../../../contracts/entries/entries/batch.js';
import type { Entry } from '../../../contracts/entries/entries/entry.js';
import { AppError } from '../../../contracts/errors.js';
import { Name } from '../../../contracts/primitives.js';
import { isFatal, Refusals, type Job, type Upsert } from '../import/exports/reduce-item.js';
import { inFlight, sendReduced } from '../import/send-items.js';
import type { Progress } from '../progress.js';
import { keyOf, type EntryLine, type EntryLocale } from './export-format.js';
import type { ExportLine } from './read-export.js';
import type { Restore, SettingsRestore } from './restore-settings.js';
import { batches, presentIn, readEntries, settle, type Present } from './restore-states.js';
import { changesOf, ownValues } from './restore-values.js';

const ITEMS = 50;

/** An entry that is created with its values, or without them if that is refused. */
interface NewJob extends Job {
  readonly empty?: Job;
}

const hasValues = (fields: object): boolean => Object.keys(fields).length > 0;

/** Writes the entries of an export under their external ids, or their ids. Everything is compared first. */
export class EntryRestore {
  /** Ids of nodes by the ids of their entries in the export. */
  readonly nodes = new Map<string, string>();
  readonly #made = new Set<string>();
  readonly #refusals: Refusals;

  constructor(
    private readonly restore: Restore,
    private readonly settings: SettingsRestore,
  ) {
    this.#refusals = new Refusals(restore.report.losses);
  }

  /** Whether the caller may name times and authors of the source. */
  get keepsFacts(): boolean {
    return this.#refusals.keepsFacts;
  }

  /** Versions of entries that could not be written. */
  get failed(): number {
    return this.#refusals.failed;
  }

  get #lines(): AsyncGenerator<ExportLine<EntryLine>> {
    return this.restore.reader.lines('entries.jsonl');
  }

  /** Finds the entries that are there. @param use gets those that are missing */
  async find(use: (missing: readonly EntryLine[]) => void): Promise<void> {
    for await (const batch of batches(this.#lines)) {
      const present = await readEntries(this.restore, batch, undefined);
      for (const line of batch) {
        const found = present.get(line.id);
        if (found === undefined) continue;
        this.restore.ids.set(line.id, found.id);
        if (found.treeNodeId !== null) this.nodes.set(line.id, found.treeNodeId);
      }
      use(batch.filter(({ id }) => !this.restore.ids.has(id)));
    }
  }

  /**
   * Creates entries in all their locales: with the values of their lines if everything they link to exists, else without
   * values, so that other entries can link to them.
   */
  async create(
    lines: readonly EntryLine[],
    parentOf: (line: EntryLine) => string | null | undefined,
  ): Promise<void> {
    const jobs = lines.flatMap((line) => this.#newJobsOf(line, parentOf(line)));
    await this.#send(jobs, ({ entry }, { entryId, treeNodeId }) => {
      if (entryId === null) return;
      this.#made.add(entry.id);
      this.restore.ids.set(entry.id, entryId);
      if (treeNodeId !== null) this.nodes.set(entry.id, treeNodeId);
    });
  }

  #newJobsOf(line: EntryLine, treeParentId: string | null | undefined): NewJob[] {
    const name = Name.safeParse(line.createdBy).data;
    const facts = { createdAt: line.createdAt, ...(name !== undefined && { createdByName: name }) };
    const states = Object.entries(line.locales);
    let isComplete = states.every(
      ([, { published, fields }]) => published === undefined && hasValues(fields),
    );
    const own = states.map(([, { fields }]) =>
      isComplete ? ownValues(this.restore, fields, () => (isComplete = false)) : {},
    );
    return states.map(([locale, state], index) => {
      const ofFirst = index === 0 && { treeParentId, ...(this.#refusals.keepsFacts && facts) };
      const slug = state.published?.slug ?? state.slug;
      const empty = this.#jobOf(line, locale, { slug, fields: {}, publish: false, ...ofFirst });
      if (!isComplete) return empty;
      const publication = state.status === 'published' ? this.#published(state) : { publish: false };
      const fields = changesOf(own[index] ?? {}, {});
      return { ...this.#jobOf(line, locale, { slug, fields, ...publication, ...ofFirst }), empty };
    });
  }

  #jobOf(line: EntryLine, locale: string, values: Partial<Upsert> & Pick<Upsert, 'fields' | 'publish'>): Job {
    const { id, type } = line;
    const isPublished = values.publish === true;
    const isLocalized =
      this.settings.schema.contentTypes?.find(({ apiName }) => apiName === type)?.isLocalized !== false;
    const entry = {
      type,
      id,
      where: `entry ${type}/${keyOf(line)}`,
      isPublished,
      facts: {},
      author: undefined,
      versions: [],
    };
    return {
      entry,
      version: { locale, slug: values.slug, fields: new Map() },
      losses: [],
      item: {
        action: 'upsert',
        contentTypeApiName: type,
        siteId: this.restore.ids.get(line.siteId) ?? line.siteId,
        externalId: keyOf(line),
        ...(isLocalized && { locale }),
        // All versions are of the import, so that those of the source can replace them.
        ...(this.keepsFacts && { createdAt: line.createdAt }),
        ...values,
      },
    };
  }

  async #send(jobs: readonly NewJob[], done: (job: Job, outcome: BatchOutcome) => void): Promise<void> {
    if (jobs.length > 0) await this.settings.relax();
    const { report } = this.restore;
    for (let start = 0; start < jobs.length; start += ITEMS)
      await sendReduced(this.restore, jobs.slice(start, start + ITEMS), {
        done: (job, outcome) => {
          for (const [place, reason] of job.losses)
            report.losses.add('entry', `${job.entry.where} / ${place}`, reason);
          done(job, outcome);
        },
        // An entry that is refused with its values is created without them; `write` tries them again.
        reduce: ({ empty, ...job }: NewJob, error, round): NewJob[] =>
          empty === undefined || !(error instanceof AppError) || isFatal(error)
            ? this.#refusals.reduce(job, error, round)
            : [empty],
      });
  }

  /** Writes values and publishes. */
  async write(progress: Progress): Promise<void> {
    const { reader, report, state, ids } = this.restore;
    progress.start(reader.manifest.files.find(({ file }) => file === 'entries.jsonl')?.lines ?? 0);
    try {
      await inFlight(batches(this.#lines), async (all) => {
        const batch = all.filter(({ id }) => ids.has(id) && !state.has(id));
        const present = await presentIn(this.restore, batch);
        const jobs = await Promise.all(
          batch.map((line) => this.#jobsOf(line, present.get(line.id) ?? new Map())),
        );
        await this.#send(jobs.flat(), () => undefined);
        for (const [index, line] of batch.entries()) {
          const changes =
            (jobs[index]?.length ?? 0) + (await settle(this.restore, line, present.get(line.id)));
          report.count('entry', this.#made.has(line.id) ? 'made' : changes > 0 ? 'changed' : 'same');
        }
        await state.add(batch.map(({ id }) => id));
        progress.advance(all.length);
      });
    } finally {
      progress.stop();
    }
  }

  async #jobsOf(line: EntryLine, present: Present): Promise<Job[]> {
    const where = `entry ${line.type}/${keyOf(line)}`;
    const own = (locale: string, fields: EntryLocale['fields']) =>
      ownValues(this.restore, fields, (id) => {
        const reason = [
          'a link',
          `The project has no entry or asset ${id} of the export.`,
          'Link another one.',
        ] as const;
        this.restore.report.losses.add('entry', `${where} / ${locale}`, reason);
      });
    const earlier: Job[] = [];
    const written = (): EntryLocale['fields'] =>
      Object.assign({}, ...earlier.map(({ item }) => item.fields)) as EntryLocale['fields'];
    const live = Object.entries(line.locales).flatMap(([locale, state]) =>
      state.published === undefined ? [] : [{ locale, state, published: state.published }],
    );
    for (const { locale, state, published } of live.sort(
      (a, b) => a.published.version - b.published.version,
    )) {
      const fields = own(locale, this.#known(line.type, published.fields));
      if (await this.#isLive(present.get(locale), { locale, slug: published.slug, fields })) continue;
      const changes = changesOf(fields, { ...present.get(locale)?.fields, ...written() });
      earlier.push(
        this.#jobOf(line, locale, { slug: published.slug, fields: changes, ...this.#published(state) }),
      );
    }
    const shared = written();
    const later = Object.entries(line.locales).flatMap(([locale, state]): Job[] => {
      const entry = present.get(locale);
      const now = entry?.locales.find((one) => one.locale === locale);
      const wanted = own(locale, state.fields);
      // What was just published has other values in this locale, and in all that share them.
      const fields = changesOf(wanted, { ...entry?.fields, ...shared });
      const isPublished = state.status === 'published';
      const isSame = Object.keys(fields).length === 0 && now?.slug === state.slug && earlier.length === 0;
      if (isSame && (!isPublished || now?.status === 'published')) return [];
      return [
        this.#jobOf(line, locale, {
          slug: state.slug,
          fields,
          ...(isPublished ? this.#published(state) : { publish: false }),
        }),
      ];
    });
    return [...earlier, ...later];
  }

  #published({ publishedAt }: EntryLocale): Pick<Upsert, 'publish' | 'publishedAt'> {
    return { publish: true, ...(this.#refusals.keepsFacts && publishedAt !== null && { publishedAt }) };
  }

  /** Values of fields that the type has: a published version can be older than the type. */
  #known(type: string, fields: EntryLocale['fields']): EntryLocale['fields'] {
    const known = this.settings.schema.contentTypes?.find(({ apiName }) => apiName === type)?.fields ?? [];
    const names = new Set(known.map(({ apiName }) => apiName));
    return Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)));
  }

  /** Whether readers see these values already. */
  async #isLive(
    entry: Entry | undefined,
    { locale, slug, fields }: { locale: string; slug: string; fields: EntryLocale['fields'] },
  ): Promise<boolean> {
    const versionNum = entry?.locales.find((one) => one.locale === locale)?.publishedVersion;
    if (entry === undefined || versionNum === undefined || versionNum === null) return false;
    const { client, projectSlug } = this.restore;
    const { data } = await client.call('entries', 'getVersion', { projectSlug, id: entry.id, versionNum });
    const { slugs, fields: stored } = data.snapshot;
    return slugs[locale] === slug && Object.keys(changesOf(fields, stored[locale] ?? {})).length === 0;
  }
}

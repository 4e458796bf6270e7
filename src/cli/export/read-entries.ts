import type { Entry } from '../../../contracts/entries/entries/entry.js';
import type { EntrySnapshot } from '../../../contracts/entries/entries/entry-version.js';
import { limits } from '../../../contracts/limits.js';
import { FIRST_CURSOR } from '../../../contracts/primitives.js';
import { isAppError, type Operations } from '../client/rest-operations.js';
import type { EntryLine, EntryLocale, LineOf } from './export-format.js';

const LIMIT = limits.pageLimitMaximum;
/** Of changed entries, what readers see is requested while the lines before them are written. */
const LINES_AT_ONCE = 20;

/** What is exported. Empty lists are all. */
export interface ExportScope {
  readonly types: readonly string[];
  readonly sites: readonly string[];
  readonly locales: readonly string[];
}

export const isPartial = ({ types, sites, locales }: ExportScope): boolean =>
  types.length > 0 || sites.length > 0 || locales.length > 0;

/** The project of an export. */
export interface ExportedProject {
  readonly client: Operations;
  readonly projectSlug: string;
  readonly scope: ExportScope;
  readonly hasHistory: boolean;
}

interface CursorPage<T> {
  readonly data: readonly T[];
  readonly meta: { readonly nextCursor?: string | null | undefined };
}

/** Every item of a list that has pages by cursor. The next page is on its way while one is used. */
export async function* walk<T>(read: (cursor: string) => Promise<CursorPage<T>>): AsyncGenerator<T> {
  let next: Promise<CursorPage<T>> | undefined = read(FIRST_CURSOR);
  while (next !== undefined) {
    const { data, meta }: CursorPage<T> = await next;
    next = typeof meta.nextCursor === 'string' ? read(meta.nextCursor) : undefined;
    // Awaited later: a failure must not count as unhandled until then.
    next?.catch(() => undefined);
    yield* data;
  }
}

/** A stream of entries in one locale with its first one taken out. */
interface Head {
  readonly locale: string;
  readonly rest: AsyncGenerator<Entry>;
  entry: Entry | undefined;
}

/** Reads the entries of a project. */
export class EntryReader {
  /** Ids of what is linked, in an export that is limited to types. */
  readonly linked = new Set<string>();
  /** Versions of what was read by id, where others need them. */
  readonly ids = new Map<string, number>();

  /** @param siteIds of the sites that are exported; all if the export is not limited to sites */
  constructor(
    private readonly project: ExportedProject,
    private readonly siteIds: readonly string[],
  ) {}

  /** Entries in the order of their creation, with every locale. */
  async *lines(): AsyncGenerator<EntryLine> {
    const waiting: Promise<EntryLine>[] = [];
    for await (const { entry, locales } of this.#together(await this.#heads())) {
      const line = this.#lineOf(entry, locales);
      // Awaited later: a failure must not count as unhandled until then.
      line.catch(() => undefined);
      waiting.push(line);
      const [first] = waiting.length > LINES_AT_ONCE ? waiting.splice(0, 1) : [];
      if (first !== undefined) yield this.#note(await first);
    }
    for (const line of waiting) yield this.#note(await line);
  }

  #note(line: EntryLine): EntryLine {
    const { id, locales, version = 0 } = line;
    if (isPartial(this.project.scope) || this.project.hasHistory) this.ids.set(id, version);
    const add = (value: unknown): void => {
      if (typeof value === 'string') this.linked.add(value);
      else if (typeof value === 'object' && value !== null)
        for (const part of Object.values(value)) add(part);
    };
    if (this.project.scope.types.length > 0)
      add(Object.values(locales).map(({ fields, published }) => [fields, published]));
    return line;
  }

  async #heads(): Promise<Head[]> {
    const { client, projectSlug, scope } = this.project;
    const heads: Head[] = [];
    const { data } = await client.call('locales', 'list', { projectSlug, limit: LIMIT });
    const missing = scope.locales.find((code) => !data.some((locale) => locale.code === code));
    if (missing !== undefined) throw new Error(`The project ${projectSlug} has no locale ${missing}.`);
    for (const { code: locale } of data) {
      if (scope.locales.length > 0 && !scope.locales.includes(locale)) continue;
      const filters = {
        ...(scope.types.length > 0 && { contentTypeApiName: [...scope.types] }),
        ...(scope.sites.length > 0 && { siteId: [...this.siteIds] }),
      };
      const rest = walk((cursor) =>
        client.call('entries', 'list', {
          projectSlug,
          locale,
          ...filters,
          orderBy: 'createdAt:asc',
          limit: LIMIT,
          cursor,
        }),
      );
      heads.push({ locale, rest, entry: undefined });
    }
    await Promise.all(heads.map((head) => take(head)));
    return heads;
  }

  /**
   * Joins the streams of the locales, which have the same order. What changes during the export is read again, so
   * that the locales of a line are of one version.
   */
  async *#together(heads: readonly Head[]): AsyncGenerator<{ entry: Entry; locales: Entry[] }> {
    const alone = new Set<string>();
    for (;;) {
      const filled = heads.filter((head) => head.entry !== undefined);
      if (filled.length === 0) return;
      const [lead = filled[0]] = filled.filter(({ entry }) => isComplete(entry, heads));
      const first = lead?.entry;
      if (first === undefined) return;
      const own = filled.filter(({ entry }) => entry?.id === first.id);
      const locales = own.flatMap(({ entry }) => entry ?? []);
      const isSteady = isComplete(first, heads);
      await Promise.all(own.map((head) => take(head)));
      if (alone.has(first.id)) continue;
      if (isSteady && locales.every(({ version }) => version === first.version))
        yield { entry: first, locales };
      else {
        alone.add(first.id);
        const again = await this.#readAgain(first, heads);
        if (again !== undefined) yield again;
      }
    }
  }

  async #readAgain(
    { id, locales }: Entry,
    heads: readonly Head[],
  ): Promise<{ entry: Entry; locales: Entry[] } | undefined> {
    const { client, projectSlug } = this.project;
    const wanted = locales
      .map(({ locale }) => locale)
      .filter((code) => heads.some(({ locale }) => locale === code));
    try {
      for (let attempt = 0; ; attempt += 1) {
        const read = wanted.map((locale) => client.call('entries', 'get', { projectSlug, id, locale }));
        const found = (await Promise.all(read)).map(({ data }) => data);
        const [entry] = found;
        if (entry === undefined) return undefined;
        if (found.every(({ version }) => version === entry.version) || attempt > 5)
          return { entry, locales: found };
      }
    } catch (error) {
      if (isAppError(error, 'entry_not_found')) return undefined;
      throw error;
    }
  }

  async #lineOf(entry: Entry, read: readonly Entry[]): Promise<EntryLine> {
    const { id, externalId, contentTypeApiName: type, siteId, version, createdAt, createdBy } = entry;
    const snapshots = new Map<number, Promise<EntrySnapshot>>();
    const locales: Record<string, EntryLocale> = {};
    const inLocale = new Map(read.map((one) => [one.locale, one]));
    for (const state of entry.locales) {
      const { locale } = state;
      const own = inLocale.get(locale);
      if (own === undefined) continue;
      const { fields, workflow } = own;
      const { slug, status, publishedAt, publishedVersion, scheduled } = state;
      locales[locale] = {
        slug,
        status,
        publishedAt,
        publishedVersion,
        state: workflow?.state ?? null,
        fields,
        ...(status === 'changed' &&
          publishedVersion !== null && {
            published: await this.#published(snapshots, { id, locale, slug }, publishedVersion),
          }),
        ...(scheduled.length > 0 && {
          schedules: scheduled.map(({ kind, scheduledAt, timezone }) => ({ kind, scheduledAt, timezone })),
        }),
      };
    }
    const isAssigned = entry.assigneeId !== null;
    return {
      id,
      externalId,
      type,
      siteId,
      version,
      createdAt,
      createdBy: createdBy.name,
      isAssigned,
      locales,
    };
  }

  async #published(
    snapshots: Map<number, Promise<EntrySnapshot>>,
    { id, locale, slug }: { id: string; locale: string; slug: string },
    versionNum: number,
  ): Promise<EntryLocale['published']> {
    const { client, projectSlug } = this.project;
    const read =
      snapshots.get(versionNum) ??
      client.call('entries', 'getVersion', { projectSlug, id, versionNum }).then(({ data }) => data);
    snapshots.set(versionNum, read);
    const { slugs, fields } = (await read).snapshot;
    return { version: versionNum, slug: slugs[locale] ?? slug, fields: fields[locale] ?? {} };
  }

  /** Versions of the entries up to those that were read, the oldest of an entry first. */
  async *history(): AsyncGenerator<LineOf<'history.jsonl'>> {
    const { client, projectSlug } = this.project;
    for (const [id, newest] of this.ids)
      for await (const { versionNum } of walk((cursor) =>
        client.call('entries', 'listVersions', {
          projectSlug,
          id,
          orderBy: 'createdAt:asc',
          limit: LIMIT,
          cursor,
        }),
      )) {
        if (versionNum > newest) break;
        const { data } = await client.call('entries', 'getVersion', { projectSlug, id, versionNum });
        yield { entryId: id, version: versionNum, content: data };
      }
  }
}

async function take(head: Head): Promise<void> {
  const next = await head.rest.next();
  head.entry = next.done === true ? undefined : next.value;
}

/** Whether every stream with a locale of the entry has come to it. */
function isComplete(entry: Entry | undefined, heads: readonly Head[]): boolean {
  const codes = new Set(entry?.locales.map(({ locale }) => locale));
  return heads.every(({ locale, entry: head }) => !codes.has(locale) || head?.id === entry?.id);
}

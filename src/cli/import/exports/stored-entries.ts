import type { Entry } from '../../../../contracts/entries/entries/entry.js';
import { everyItem, isAppError } from '../../client/rest-operations.js';
import { entryKey, needsOf } from './entry-order.js';
import type { SourceEntry } from './export-source.js';
import type { ImportPlan } from './import-plan.js';
import type { PreparedTarget } from './import-target.js';

/** Of one page, and of one filter. */
const PAGE = 100;

/** An entry as it is in the project. */
interface StoredEntry {
  readonly version: number;
  readonly nodeId: string | null;
  /** By locale. */
  readonly statuses: Map<string, string>;
}

/** Entries of the project by {@link entryKey}. */
export class StoredEntries extends Map<string, StoredEntry> {
  constructor(
    private readonly target: PreparedTarget,
    private readonly plan: ImportPlan,
  ) {
    super();
  }

  /** Reads every entry of the types of the plan. */
  async readAll(): Promise<void> {
    const { client, projectSlug, siteId } = this.target;
    for (const { source, apiName } of this.plan.types.values()) {
      if (source.isBlock === true) continue;
      const filter = { contentTypeApiName: [apiName], siteId: [siteId] };
      const query = { projectSlug, ...filter, limit: PAGE, orderBy: 'createdAt:asc' } as const;
      const listed = everyItem((page) =>
        client.call('entries', 'list', { ...query, page }).catch(noneOfMissingType),
      );
      for await (const entry of listed) this.#keep(source.id, entry);
    }
  }

  /** Reads the given entries, and those that they link, in place of those that were read before. */
  async readNamed(entries: readonly SourceEntry[]): Promise<void> {
    const { client, projectSlug } = this.target;
    this.clear();
    const ids = new Map<string, Set<string>>();
    for (const key of entries.flatMap((entry) => [entryKey(entry), ...needsOf(entry)])) {
      const [type, id] = JSON.parse(key) as [string, string];
      ids.set(type, (ids.get(type) ?? new Set()).add(id));
    }
    for (const [type, named] of ids)
      for (let rest = [...named]; rest.length > 0; rest = rest.slice(PAGE)) {
        const contentTypeApiName = [this.plan.types.get(type)?.apiName ?? type];
        const filter = { contentTypeApiName, externalId: rest.slice(0, PAGE) };
        const listed = client.call('entries', 'list', { projectSlug, ...filter, limit: PAGE });
        for (const entry of (await listed.catch(noneOfMissingType)).data) this.#keep(type, entry);
      }
  }

  #keep(type: string, { externalId, version, treeNodeId, locales }: Entry): void {
    if (externalId === null) return;
    const statuses = new Map<string, string>(locales.map(({ locale, status }) => [locale, status]));
    this.set(entryKey({ type, id: externalId }), { version, nodeId: treeNodeId, statuses });
  }
}

/** A dry run has not made it. */
function noneOfMissingType(error: unknown): { data: Entry[]; meta: { pages: number } } {
  if (!isAppError(error, 'content_type_not_found')) throw error;
  return { data: [], meta: { pages: 0 } };
}

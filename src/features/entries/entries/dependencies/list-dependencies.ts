import type { entries } from '../../../../../contracts/entries/entries/entries.contract.js';
import type { EntryDependency } from '../../../../../contracts/entries/entries/entry-reference.js';
import { limits } from '../../../../../contracts/limits.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { isPermitted } from '../../../../access/authorize.js';
import type { Catalog } from '../../../../content/catalog.js';
import { kindOf } from '../../../../content/field-kinds/index.js';
import type { FieldDefinition } from '../../../../content/model/field-definition.js';
import { isUuid } from '../../../../infrastructure/ids.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { noValues } from '../anchored-values.js';
import { EntryRepository } from '../entry.repository.js';
import { DependencyRepository, type Direction, type DocumentLink } from './dependency.repository.js';

type Link = EntryDependency['links'][number];

const keyOf = ({ entryId, targetId, fieldApiName, locale }: Omit<Link, 'inDraft' | 'inPublished'>): string =>
  JSON.stringify([entryId, targetId, fieldApiName, locale]);

/** The field of a link in a document; undefined for what only looks like a link. */
export function linkingField(
  catalog: Catalog,
  { typeId, fieldApiName, targetId }: DocumentLink,
): FieldDefinition | undefined {
  const fields = catalog.contentTypeById(typeId)?.fields ?? [];
  const field = fields.find(({ apiName }) => apiName === fieldApiName);
  if (field === undefined || !isUuid(targetId)) return undefined;
  const { isLink, namesEntries, namesMedia } = kindOf(field);
  return isLink || namesEntries || namesMedia ? field : undefined;
}

/**
 * Links of drafts and published documents that start or end at these. A published field of a block has the locale that it
 * has in the draft, if it is there, too.
 */
async function linksAt(
  work: UnitOfWork,
  catalog: Catalog,
  { ids, direction }: { readonly ids: readonly string[]; readonly direction: Direction },
): Promise<Link[]> {
  const repository = work.use(DependencyRepository);
  const links = new Map<string, Link>();
  for (const { fieldId, ...link } of await repository.inDrafts(ids, direction)) {
    const place = { ...link, fieldApiName: catalog.fieldById(fieldId)?.apiName ?? '' };
    if (link.entryId !== link.targetId)
      links.set(keyOf(place), { ...place, inDraft: true, inPublished: false });
  }
  for (const found of await repository.inDocuments(ids, direction)) {
    const { typeId: _type, locale, ...link } = found;
    const field = linkingField(catalog, found);
    if (field === undefined || link.entryId === link.targetId) continue;
    const isLocalized = field.localized || links.has(keyOf({ ...link, locale }));
    const place = { ...link, locale: isLocalized ? locale : null };
    const known = links.get(keyOf(place)) ?? { ...place, inDraft: false };
    links.set(keyOf(place), { ...known, inPublished: true });
  }
  return [...links.values()];
}

/** Entries and assets in the order in which they are found: level by level, then by id. */
class DependencySearch {
  readonly found = new Map<string, EntryDependency>();
  isComplete = true;

  constructor(
    private readonly work: UnitOfWork,
    private readonly catalog: Catalog,
    private readonly direction: Direction,
  ) {}

  async run(entryId: string, depth: number): Promise<void> {
    let level = [entryId];
    for (let at = 1; at <= depth && level.length > 0; at += 1) level = await this.#follow(level, at, entryId);
  }

  async #follow(level: readonly string[], depth: number, start: string): Promise<string[]> {
    const { direction } = this;
    const links = await linksAt(this.work, this.catalog, { ids: level, direction });
    const end = direction === 'out' ? 'targetId' : 'entryId';
    const byEnd = Map.groupBy(links, (link) => link[end]);
    const room = limits.dependenciesListed - this.found.size;
    const fresh = await this.#load([...byEnd.keys()].filter((id) => id !== start && !this.found.has(id)));
    if (fresh.length > room) this.isComplete = false;
    const next: string[] = [];
    for (const dependency of fresh.slice(0, room)) {
      this.found.set(dependency.id, { ...dependency, depth, links: [] });
      if (dependency.kind === 'entry') next.push(dependency.id);
    }
    for (const [id, some] of byEnd) this.found.get(id)?.links.push(...some);
    return next;
  }

  async #load(ids: readonly string[]): Promise<Omit<EntryDependency, 'depth' | 'links'>[]> {
    if (ids.length === 0) return [];
    const repository = this.work.use(DependencyRepository);
    const found = await repository.entries(ids);
    const assets = isPermitted(this.work, 'media.read') ? await repository.assets(ids) : [];
    return [
      ...found.map(({ contentTypeId, ...entry }) => ({
        ...entry,
        kind: 'entry' as const,
        contentTypeApiName: this.catalog.contentTypeById(contentTypeId)?.apiName ?? '',
      })),
      ...assets.map(({ id, fileName }) => ({
        kind: 'asset' as const,
        id,
        title: fileName,
        contentTypeApiName: null,
        siteId: null,
        status: null,
      })),
    ];
  }
}

/** Follows links level by level; each level costs a constant number of statements. */
export async function listEntryDependencies(
  work: UnitOfWork,
  input: InputOf<typeof entries.listDependencies>,
): Promise<{ data: EntryDependency[]; meta: { isComplete: boolean } }> {
  const catalog = await work.use(CatalogRepository).current();
  const { id } = await work.use(EntryRepository).find(input.id, noValues);
  const search = new DependencySearch(work, catalog, input.direction);
  await search.run(id, input.depth);
  return { data: [...search.found.values()], meta: { isComplete: search.isComplete } };
}
